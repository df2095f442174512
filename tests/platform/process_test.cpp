// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace sweetspot {
namespace {

const std::string fields_4_to_22 = " 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456";

TEST(ParseProcessStat, TakesTheStartTimeFromField22) {
  const auto stat = parse_process_stat("42 (python3) S" + fields_4_to_22 + " 99 1\n").value();
  EXPECT_EQ(stat.comm, "python3");
  EXPECT_EQ(stat.state, 'S');
  EXPECT_EQ(stat.start_ticks, 123456U);
}

TEST(ParseProcessStat, IsNotFooledByTheCommand) {
  for (const std::string comm : {"a b", ") R 1 2 3", "((", "))", "x) S 1 (y", ""}) {
    const auto stat = parse_process_stat("42 (" + comm + ") S" + fields_4_to_22 + "\n");
    ASSERT_TRUE(stat) << comm;
    EXPECT_EQ(stat->comm, comm);
    EXPECT_EQ(stat->start_ticks, 123456U);
  }
}

TEST(ParseProcessStat, RefusesWhatIsNoStatLine) {
  for (const char* text : {"", "42", "42 (x", "42 x) S", ")(", "42 (x) ", "42 (x) S 1 2 3", "42 (x) SS 1",
                           "42 (x) S 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12x"}) {
    EXPECT_FALSE(parse_process_stat(text)) << text;
  }
}

TEST(ParseNamespaceDepth, CountsPids) {
  EXPECT_EQ(parse_namespace_depth("Name:\tx\nNSpid:\t42\nNSpgid:\t42\n").value(), 1);
  EXPECT_EQ(parse_namespace_depth("Name:\tx\nNSpid:\t42\t7\t1\n").value(), 3);
}

TEST(ParseNamespaceDepth, RefusesAStatusWithoutIt) {
  EXPECT_FALSE(parse_namespace_depth(""));
  EXPECT_FALSE(parse_namespace_depth("Name:\tNSpid: 1 2\n"));
  EXPECT_FALSE(parse_namespace_depth("Name:\tx\nNSpid:\n"));
}

TEST(OpenProcess, WatchesUntilTheProcessDies) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  auto watched = open_process(child);
  if (!watched && watched.error().code == ENOSYS) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    GTEST_SKIP() << "this kernel has no pidfd_open";
  }
  ASSERT_TRUE(watched) << watched.error().message;
  EXPECT_EQ(watched->start_ticks, read_process_stat(child).value().start_ticks);
  pollfd readable{watched->pidfd.value(), POLLIN, 0};
  EXPECT_EQ(::poll(&readable, 1, 0), 0);
  ::kill(child, SIGKILL);
  EXPECT_EQ(::poll(&readable, 1, 10000), 1);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(open_process(child).error().code, ESRCH);
}

TEST(OpenProcess, RefusesAZombieAndNonsense) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(open_process(child));
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(open_process(0).error().code, EINVAL);
  EXPECT_EQ(open_process(-1).error().code, EINVAL);
}

TEST(ProcessOwner, IsUsForOurselves) {
  EXPECT_EQ(process_owner(::getpid()).value(), ::getuid());
  EXPECT_GE(pid_namespace_depth(::getpid()).value(), 1);
}

TEST(PeerCredentials, ComeFromTheKernel) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const UniqueFd one(ends[0]);
  const UniqueFd other(ends[1]);
  const auto peer = peer_credentials(one.value()).value();
  EXPECT_EQ(peer.pid, ::getpid());
  EXPECT_EQ(peer.uid, ::getuid());
  EXPECT_EQ(peer_credentials(-1).error().code, EBADF);
}

}  // namespace
}  // namespace sweetspot
