// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "places.hpp"
#include "sweetspot/wire/profiles_text.hpp"
#include "tests/client/program_run.hpp"
#include "tests/support/temporary_folder.hpp"

// `sweetspot profiles` on a state folder of the test's own.
namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::Outcome;
using tests::ProgramRun;
using tests::TemporaryFolder;

class Profiles : public ::testing::Test {
 protected:
  Profiles() {
    static_cast<void>(book_.learn(bert_, megahertz(612), 9.7, std::chrono::system_clock::now()));
    static_cast<void>(book_.learn(tiny_, std::nullopt, 0.25, std::chrono::system_clock::now()));
  }
  void keep() const { std::ofstream(profiles_path(folder_.path())) << profiles_text(book_); }
  [[nodiscard]] Outcome outcome_of(std::vector<std::string> words) const {
    words.insert(words.begin(), {SWEETSPOT_PROGRAM, "profiles"});
    words.insert(words.end(), {"--state-dir", folder_.path()});
    ProgramRun run(words);
    const int status = run.finish();
    return {status, run.out(), run.err()};
  }
  [[nodiscard]] ProfileBook kept() const {
    std::ostringstream text;
    text << std::ifstream(profiles_path(folder_.path())).rdbuf();
    return parse_profiles(text.str()).value();
  }

  const ProfileKey bert_{.model_type = "bert", .layers = 24, .mean_length = 14, .board = "Orin", .aim = "energy"};
  const ProfileKey tiny_{.model_type = "bert", .layers = 2, .mean_length = 14, .board = "Orin", .aim = "energy"};
  TemporaryFolder folder_;
  ProfileBook book_;
};

TEST_F(Profiles, AreListedWithClockCostAndKind) {
  keep();
  const Outcome listed = outcome_of({"list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("612 MHz  9.70"));
  EXPECT_THAT(listed.out, HasSubstr("bert, 24 layers, length 14"));
  EXPECT_THAT(listed.out, HasSubstr("no pin"));
  EXPECT_THAT(listed.out, HasSubstr(profile_id(bert_)));
}

TEST_F(Profiles, ThatDoNotExistAreNoError) {
  const Outcome listed = outcome_of({"list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("nothing was learned yet"));
}

TEST_F(Profiles, AreForgottenById) {
  keep();
  EXPECT_EQ(outcome_of({"forget", profile_id(bert_)}).status, 0);
  EXPECT_FALSE(kept().find(bert_));
  EXPECT_TRUE(kept().find(tiny_));
}

TEST_F(Profiles, WithAnUnknownIdNothingIsForgotten) {
  keep();
  const Outcome refused = outcome_of({"forget", profile_id(bert_), "zzzzzzzz"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("zzzzzzzz"));
  EXPECT_TRUE(kept().find(bert_));
}

TEST_F(Profiles, AreAllForgottenOnlyWhenThatIsSaid) {
  keep();
  EXPECT_EQ(outcome_of({"forget"}).status, 2);
  EXPECT_EQ(kept().all().size(), 2U);
  EXPECT_EQ(outcome_of({"forget", "--all"}).status, 0);
  EXPECT_TRUE(kept().all().empty());
}

TEST_F(Profiles, ComeBackFromAnExport) {
  keep();
  const std::string file = folder_.path() + "/export.json";
  ASSERT_EQ(outcome_of({"export", "-o", file}).status, 0);
  ASSERT_EQ(outcome_of({"forget", "--all"}).status, 0);
  ASSERT_EQ(outcome_of({"import", file}).status, 0);
  EXPECT_EQ(profiles_text(kept()), profiles_text(book_));
}

TEST_F(Profiles, OfABadFileAreRefusedAndLeaveWhatThereWas) {
  keep();
  const std::string file = folder_.path() + "/bad.json";
  std::ofstream(file) << R"({"format":"sweetspot-profiles","version":9,"profiles":[]})";
  const Outcome refused = outcome_of({"import", file});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("version 9"));
  EXPECT_EQ(kept().all().size(), 2U);
}

TEST_F(Profiles, AnActionThatDoesNotExistIsAMistakeOfUse) {
  EXPECT_EQ(outcome_of({"burn"}).status, 2);
}

}  // namespace
}  // namespace sweetspot
