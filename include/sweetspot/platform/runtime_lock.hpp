// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// Only one process at a time may write the clock: the daemon for its whole life, or a restore. Held by flock on
/// `<runtime_dir>/lock`, so it goes with the process however that dies. The folder must be 0700 and exist or be
/// creatable.
class RuntimeLock {
 public:
  /// EWOULDBLOCK while another process holds it; the message names its pid. Waits only where that pid is gone and
  /// a child that it was just starting still has the lock, half a second at most.
  [[nodiscard]] static Result<RuntimeLock> acquire(const std::string& runtime_dir);
  /// Whether a process holds it, without touching it: a start at the same moment must not be refused because somebody
  /// looked. From /proc/locks; false where the lock file is not there.
  [[nodiscard]] static Result<bool> is_held(const std::string& runtime_dir);

 private:
  explicit RuntimeLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace sweetspot
