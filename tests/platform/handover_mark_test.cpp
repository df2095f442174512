// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/handover_mark.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

const std::string boot = "b007";

struct Folder {
  TemporaryFolder folder;
  std::string runtime_dir = folder.path() + "/private";
  std::string path = runtime_dir + "/handed-over";
};

TEST(HandoverMark, IsGoodForOneLook) {
  const Folder here;
  ASSERT_TRUE(leave_handover_mark(here.runtime_dir, boot));
  EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(true));
  EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(false));
}

TEST(HandoverMark, IsNotThereWhereThereIsNoFolder) {
  const Folder here;
  EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(false));
}

TEST(HandoverMark, OfAnotherBootCountsForNothingAndIsUsedUp) {
  const Folder here;
  ASSERT_TRUE(leave_handover_mark(here.runtime_dir, "another"));
  EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(false));
  EXPECT_FALSE(std::filesystem::exists(here.path));
}

TEST(HandoverMark, HalfWrittenOrForeignCountsForNothing) {
  const Folder here;
  ASSERT_TRUE(leave_handover_mark(here.runtime_dir, boot));
  for (const std::string& text : {std::string(), std::string("boot_id=b0"), std::string("boot_id=b007"),
                                  std::string("boot_id=b007\nmore\n"), std::string(5000, 'x')}) {
    std::ofstream(here.path) << text;
    EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(false)) << text;
    EXPECT_FALSE(std::filesystem::exists(here.path));
  }
}

TEST(HandoverMark, ReplacesAnOlderOneAndFollowsNoLink) {
  const Folder here;
  ASSERT_TRUE(leave_handover_mark(here.runtime_dir, "another"));
  ASSERT_TRUE(leave_handover_mark(here.runtime_dir, boot));
  EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(true));
  const std::string elsewhere = here.folder.path() + "/elsewhere";
  std::ofstream(elsewhere) << "boot_id=" << boot << "\n";
  std::filesystem::create_symlink(elsewhere, here.path);
  EXPECT_EQ(take_handover_mark(here.runtime_dir, boot), Result<bool>(false));
  EXPECT_TRUE(std::filesystem::exists(elsewhere));
}

TEST(HandoverMark, ThatCannotBeTakenAwayIsAnError) {
  const Folder here;
  std::filesystem::create_directories(here.path + "/in the way");
  EXPECT_FALSE(take_handover_mark(here.runtime_dir, boot));
  EXPECT_FALSE(leave_handover_mark(here.runtime_dir, boot));
}

}  // namespace
}  // namespace sweetspot::tests
