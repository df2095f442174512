// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/shared_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using Text = std::optional<std::string>;

TEST(SharedFile, AFileThatIsNotThereIsEmptyAndIsMadeByAChange) {
  const tests::TemporaryFolder folder;
  const SharedFile file(folder.path() + "/a", 100);
  EXPECT_EQ(file.read().value(), std::nullopt);
  ASSERT_TRUE(file.change([](const Text& before) -> Result<std::string> { return before.value_or("none"); }));
  EXPECT_EQ(file.read().value(), "none");
}

TEST(SharedFile, AChangeThatFailsLeavesEverything) {
  const tests::TemporaryFolder folder;
  const SharedFile file(folder.path() + "/a", 100);
  ASSERT_TRUE(file.change([](const Text&) -> Result<std::string> { return "old"; }));
  EXPECT_FALSE(file.change([](const Text&) -> Result<std::string> { return failure("no"); }));
  EXPECT_EQ(file.read().value(), "old");
}

TEST(SharedFile, AFileThatIsTooLongIsRefused) {
  const tests::TemporaryFolder folder;
  const SharedFile file(folder.path() + "/a", 3);
  ASSERT_TRUE(file.change([](const Text&) -> Result<std::string> { return "four"; }));
  EXPECT_EQ(file.read().error().code, EFBIG);
}

TEST(SharedFile, APipeInItsPlaceHoldsNobodyUp) {
  const tests::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() + "/a").c_str(), 0600), 0);
  EXPECT_EQ(SharedFile(folder.path() + "/a", 100).read().value(), "");
}

TEST(SharedFile, OnlyItsOwnerMayHoldTheLock) {
  const tests::TemporaryFolder folder;
  const SharedFile file(folder.path() + "/a", 100);
  ASSERT_TRUE(file.change([](const Text&) -> Result<std::string> { return "text"; }));
  struct stat about {};
  ASSERT_EQ(::stat((folder.path() + "/a.lock").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
}

TEST(SharedFile, ChangesAtTheSameTimeAreAllKept) {
  const tests::TemporaryFolder folder;
  const SharedFile file(folder.path() + "/a", 1000);
  const auto append = [&] {
    for (int i = 0; i < 25; ++i)
      EXPECT_TRUE(file.change([](const Text& before) -> Result<std::string> { return before.value_or("") + "x"; }));
  };
  std::thread one(append);
  std::thread other(append);
  one.join();
  other.join();
  EXPECT_EQ(file.read().value()->size(), 50U);
}

}  // namespace
}  // namespace sweetspot
