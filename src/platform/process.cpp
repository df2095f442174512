// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/process.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "platform/errno_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"

// The same number on every architecture; kernel headers before 5.3 lack the name.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace sweetspot {
namespace {

constexpr std::size_t start_time_field = 22;

std::string proc_path(pid_t pid, const char* file) {
  return "/proc/" + std::to_string(pid) + "/" + file;
}

Result<std::string> read_proc(pid_t pid, const char* file) {
  const std::string path = proc_path(pid, file);
  auto text = FileAttributes().read(path);
  if (text || text.error().code != ENOENT) return text;
  return errno_failure("process " + std::to_string(pid), ESRCH);
}

std::string_view next_word(std::string_view& text, std::string_view separators) {
  const std::size_t start = text.find_first_not_of(separators);
  if (start == std::string_view::npos) {
    text = {};
    return {};
  }
  const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
  const std::string_view word = text.substr(start, end - start);
  text.remove_prefix(end);
  return word;
}

}  // namespace

Result<ProcessStat> parse_process_stat(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return failure("not a /proc/PID/stat line: no command in parentheses");
  }
  ProcessStat stat{.comm = std::string(text.substr(open + 1, close - open - 1))};
  text.remove_prefix(close + 1);
  const std::string_view state = next_word(text, " \n");
  if (state.size() != 1) return failure("not a /proc/PID/stat line: no state after the command");
  stat.state = state.front();
  std::string_view word;
  for (std::size_t field = 4; field <= start_time_field; ++field) word = next_word(text, " \n");
  const auto start = parse_unsigned(word);
  if (!start) return failure(Error(start.error()).within("/proc/PID/stat, start time"));
  stat.start_ticks = *start;
  return stat;
}

Result<int> parse_namespace_depth(std::string_view status) {
  constexpr std::string_view key = "\nNSpid:";
  const std::size_t at = status.find(key);
  if (at == std::string_view::npos) return failure("/proc/PID/status has no NSpid line");
  std::string_view line = status.substr(at + key.size());
  line = line.substr(0, line.find('\n'));
  int depth = 0;
  while (!next_word(line, " \t").empty()) ++depth;
  if (depth == 0) return failure("/proc/PID/status has an empty NSpid line");
  return depth;
}

Result<ProcessStat> read_process_stat(pid_t pid) {
  const auto text = read_proc(pid, "stat");
  if (!text) return tl::unexpected(text.error());
  return parse_process_stat(*text);
}

Result<int> pid_namespace_depth(pid_t pid) {
  const auto text = read_proc(pid, "status");
  if (!text) return tl::unexpected(text.error());
  return parse_namespace_depth(*text);
}

Result<uid_t> process_owner(pid_t pid) {
  const auto text = read_proc(pid, "status");
  if (!text) return tl::unexpected(text.error());
  constexpr std::string_view key = "\nUid:";
  const std::size_t at = text->find(key);
  if (at == std::string::npos) return failure("/proc/PID/status has no Uid line");
  std::string_view line = std::string_view(*text).substr(at + key.size());
  const auto uid = parse_unsigned(next_word(line, " \t\n"));
  if (!uid) return failure(Error(uid.error()).within("/proc/PID/status, Uid"));
  return static_cast<uid_t>(*uid);
}

Result<WatchedProcess> open_process(pid_t pid) {
  const std::string what = "process " + std::to_string(pid);
  if (pid <= 0) return errno_failure(what, EINVAL);
  const auto before = read_process_stat(pid);
  if (!before) return tl::unexpected(before.error());
  // The raw system call: glibc has a wrapper only since 2.36.
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd) return errno_failure("open a pidfd of " + what, errno);
  const auto after = read_process_stat(pid);
  if (!after) return tl::unexpected(after.error());
  const bool dead = after->state == 'Z' || after->state == 'X';
  if (dead || after->start_ticks != before->start_ticks) return errno_failure(what, ESRCH);
  return WatchedProcess{std::move(pidfd), pid, after->start_ticks, after->comm};
}

Result<PeerCredentials> peer_credentials(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
    return errno_failure("read the peer's credentials", errno);
  }
  return PeerCredentials{credentials.pid, credentials.uid, credentials.gid};
}

}  // namespace sweetspot
