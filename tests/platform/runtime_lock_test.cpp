// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/runtime_lock.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

TEST(RuntimeLock, IsRefusedWhileHeldAndNamesTheHolder) {
  TemporaryFolder folder;
  const auto held = RuntimeLock::acquire(folder.path() + "/run");
  ASSERT_TRUE(held) << held.error().message;
  const auto second = RuntimeLock::acquire(folder.path() + "/run");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EWOULDBLOCK);
  EXPECT_EQ(second.error().message, folder.path() + "/run/lock is held by process " + std::to_string(::getpid()));
}

TEST(RuntimeLock, GoesWithItsHolder) {
  TemporaryFolder folder;
  { ASSERT_TRUE(RuntimeLock::acquire(folder.path())); }
  EXPECT_TRUE(RuntimeLock::acquire(folder.path()));
}

TEST(RuntimeLock, GoesWithAProcessThatDies) {
  TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = RuntimeLock::acquire(folder.path());
    ::_exit(held ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(RuntimeLock::acquire(folder.path()));
}

TEST(RuntimeLock, IsHadWhenAChildThatADeadHolderWasStartingLetsGo) {
  TemporaryFolder folder;
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto held = RuntimeLock::acquire(folder.path());
    if (::fork() == 0) {
      ::_exit(::poll(nullptr, 0, 100));
    }
    ::_exit(held ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(holder, &status, 0), holder);
  ASSERT_EQ(status, 0);
  const auto next = RuntimeLock::acquire(folder.path());
  EXPECT_TRUE(next) << next.error().message;
}

TEST(RuntimeLock, IsRefusedWhileAChildOfADeadHolderKeepsIt) {
  TemporaryFolder folder;
  std::array<int, 2> life{};
  ASSERT_EQ(::pipe(life.data()), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto held = RuntimeLock::acquire(folder.path());
    ::close(life[1]);
    char end = 0;
    if (::fork() == 0) ::_exit(::read(life[0], &end, 1) == 0 ? 0 : 1);
    ::_exit(held ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(holder, &status, 0), holder);
  ASSERT_EQ(status, 0);
  const auto next = RuntimeLock::acquire(folder.path());
  ::close(life[0]);
  ::close(life[1]);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().message, folder.path() + "/lock is held by process " + std::to_string(holder));
}

TEST(RuntimeLock, IsSeenToBeHeldWithoutBeingTouched) {
  TemporaryFolder folder;
  EXPECT_FALSE(RuntimeLock::is_held(folder.path()).value());
  {
    const auto held = RuntimeLock::acquire(folder.path());
    ASSERT_TRUE(held) << held.error().message;
    EXPECT_TRUE(RuntimeLock::is_held(folder.path()).value());
  }
  EXPECT_FALSE(RuntimeLock::is_held(folder.path()).value());
}

TEST(RuntimeLock, SaysWhenItsFolderIsNoFolder) {
  TemporaryFolder folder;
  std::ofstream(folder.path() + "/run") << "a file";
  EXPECT_EQ(RuntimeLock::acquire(folder.path() + "/run").error().code, ENOTDIR);
  EXPECT_EQ(RuntimeLock::acquire(folder.path() + "/no/parent").error().code, ENOENT);
}

}  // namespace
}  // namespace sweetspot::tests
