// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/sweep_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::TemporaryFolder;

class SweepOutputFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.path() + "/curve.csv"; }
  void write(const std::string& text) const { std::ofstream(path()) << text; }
  [[nodiscard]] std::string text() const {
    std::stringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }
  TemporaryFolder folder_;
};

TEST_F(SweepOutputFile, IsMadeAndGrowsByWholeLines) {
  auto output = SweepOutput::open(path());
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->text(), "");
  ASSERT_TRUE(output->append("head\n"));
  ASSERT_TRUE(output->append("row\n"));
  EXPECT_EQ(text(), "head\nrow\n");
}

TEST_F(SweepOutputFile, LosesWhatACrashTore) {
  write("head\nrow\nto");
  auto output = SweepOutput::open(path());
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->torn_end().size(), 2U);
  EXPECT_EQ(output->text(), "head\nrow\n");
  EXPECT_EQ(text(), "head\nrow\nto") << "nothing is taken away before the file is known to be a sweep's";
  ASSERT_TRUE(output->cut_torn_end());
  ASSERT_TRUE(output->append("next\n"));
  EXPECT_EQ(text(), "head\nrow\nnext\n");
}

TEST_F(SweepOutputFile, BelongsToOneSweepAtATime) {
  auto first = SweepOutput::open(path());
  ASSERT_TRUE(first) << first.error().message;
  const auto second = SweepOutput::open(path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EAGAIN);
  EXPECT_THAT(second.error().message, HasSubstr("another sweep"));
}

TEST_F(SweepOutputFile, RefusesWhatIsNoFile) {
  const auto folder = SweepOutput::open(folder_.path());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr(folder_.path()));
  const auto terminal = SweepOutput::open("/dev/null");
  ASSERT_FALSE(terminal);
  EXPECT_THAT(terminal.error().message, HasSubstr("no regular file"));
}

TEST_F(SweepOutputFile, KeepsNothingOfALineThatDoesNotFit) {
  auto output = SweepOutput::open(path());
  ASSERT_TRUE(output) << output.error().message;
  ASSERT_TRUE(output->append("head\n"));
  // A limit on the size of files stands in for a full disk: the write is cut short and then refused.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 8, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = output->append("a long row\n");
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(written);
  EXPECT_EQ(text(), "head\n");
}

}  // namespace
}  // namespace sweetspot
