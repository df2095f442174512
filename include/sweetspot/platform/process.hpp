// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// A process that is watched until it dies: the pidfd becomes readable then. Pid and start time together are unique for
/// the life of the machine.
struct WatchedProcess {
  UniqueFd pidfd;
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;
  std::string comm;
};

/// Opens a pidfd and makes sure that what it refers to is the process that /proc showed before and after. Error::code
/// is ESRCH when it is gone, ENOSYS on kernels before 5.3, where the connection alone has to do.
[[nodiscard]] Result<WatchedProcess> open_process(pid_t pid);

/// What /proc/PID/stat and /proc/PID/status say; ESRCH when the process is gone.
struct ProcessStat {
  std::string comm;
  char state = '?';
  std::uint64_t start_ticks = 0;  // field 22, clock ticks since boot
};
[[nodiscard]] Result<ProcessStat> read_process_stat(pid_t pid);
/// How many pids the process has: more than one when it lives in a pid namespace below ours.
[[nodiscard]] Result<int> pid_namespace_depth(pid_t pid);
/// The real uid that owns the process.
[[nodiscard]] Result<uid_t> process_owner(pid_t pid);

/// comm may hold blanks and parentheses, so the last ')' ends it.
[[nodiscard]] Result<ProcessStat> parse_process_stat(std::string_view text);
[[nodiscard]] Result<int> parse_namespace_depth(std::string_view status);

/// Who is at the other end of a unix socket, from the kernel. pid is 0 for a peer our pid namespace cannot see.
struct PeerCredentials {
  pid_t pid = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};
[[nodiscard]] Result<PeerCredentials> peer_credentials(int socket);

}  // namespace sweetspot
