// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "sweetspot/platform/folder_owner.hpp"
#include "sweetspot/platform/grant_access.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

struct FileRights {
  gid_t group;
  mode_t mode;
  friend bool operator==(const FileRights&, const FileRights&) = default;
};

FileRights rights_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return {status.st_gid, status.st_mode & 07777};
}

/// A devfreq folder on the disk, readable by all and writable by root, as the kernel makes it.
struct NodeOnDisk {
  NodeOnDisk() {
    std::filesystem::create_directories(folder.path() + node);
    for (const char* file : {"/min_freq", "/max_freq", "/governor"}) {
      std::ofstream(folder.path() + node + file) << "0\n";
      ::chmod((folder.path() + node + file).c_str(), 0644);
    }
  }
  TemporaryFolder folder;
  std::string node = "/sys/class/devfreq/17000000.gpu";
};

TEST(GrantAccess, LetsTheGroupWriteTheTwoLimitsAndNothingElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files to any group";
  const group* other = ::getgrnam("nogroup");
  if (other == nullptr) GTEST_SKIP() << "no group nogroup to give files to";
  const gid_t gid = other->gr_gid;
  const NodeOnDisk disk;
  const FileAttributes board(disk.folder.path());
  const FileRights before = rights_of(disk.folder.path() + disk.node + "/governor");
  const auto granted = grant_access(board, disk.node, "nogroup");
  ASSERT_TRUE(granted) << granted.error().message;
  EXPECT_EQ(rights_of(disk.folder.path() + disk.node + "/min_freq"), (FileRights{gid, 0664}));
  EXPECT_EQ(rights_of(disk.folder.path() + disk.node + "/max_freq"), (FileRights{gid, 0664}));
  EXPECT_EQ(rights_of(disk.folder.path() + disk.node + "/governor"), before);
}

TEST(GrantAccess, NamesAGroupThatIsMissingAndWhatMakesIt) {
  const NodeOnDisk disk;
  const auto refused = grant_access(FileAttributes(disk.folder.path()), disk.node, "no-such-group");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("no group \"no-such-group\""));
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("systemd-sysusers"));
}

/// What a child sees of itself once it has become the owner of the folder.
int uid_after_becoming_owner_of(const std::string& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool done = become_owner_of(folder).has_value();
    const bool no_way_back = ::geteuid() == 0 || ::setuid(0) != 0;
    ::_exit(done && no_way_back ? static_cast<int>(::geteuid() % 251) : 255);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(FolderOwner, RootBecomesTheOwnerForGood) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root becomes somebody else";
  constexpr uid_t somebody = 1234;
  const TemporaryFolder folder;
  ASSERT_EQ(::chown(folder.path().c_str(), somebody, somebody), 0);
  EXPECT_EQ(uid_after_becoming_owner_of(folder.path()), static_cast<int>(somebody % 251));
}

TEST(FolderOwner, ItsOwnFolderAndAMissingOneChangeNothing) {
  const TemporaryFolder folder;
  const int own = static_cast<int>(::geteuid() % 251);
  EXPECT_EQ(uid_after_becoming_owner_of(folder.path()), own);
  EXPECT_EQ(uid_after_becoming_owner_of(folder.path() + "/missing"), own);
}

}  // namespace
}  // namespace sweetspot::tests
