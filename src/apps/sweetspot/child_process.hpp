// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/sweetspot/signal_feed.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// What differs between the commands that are run.
struct ChildManner {
  int output = -1;            ///< what it says goes there; -1: to our own outputs
  bool ends_with_us = false;  ///< SIGTERM when the thread that started it ends, however that ends
};

/// A command run in our own process group, so that the terminal's signals reach it as if we were not there.
class ChildProcess {
 public:
  /// Starts `command`, looked up in PATH, with the signal mask `mask`. Error::code is exec's errno.
  [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& command, const sigset_t& mask,
                                                  const ChildManner& manner = {});

  /// The exit status as a shell gives it (128+n for signal n), once the command has ended; reaps it.
  [[nodiscard]] std::optional<int> status_if_ended();
  void signal(int number) const;

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_ = 0;  // not reaped yet, so that it cannot be another process
};

/// What a shell's status says when exec failed with `code`: 127 not found, 126 anything else.
[[nodiscard]] int exec_failure_status(int code);

/// Waits until the command ends and passes on what others send us meanwhile. Signals the terminal made are not passed
/// on: the command, in the same group, has them already. When `watched_fd` (-1: none) becomes readable, `on_readable`
/// is called once and the descriptor is not looked at again.
[[nodiscard]] int wait_for_command(ChildProcess& child, SignalFeed& signals, int watched_fd,
                                   const std::function<void()>& on_readable);

}  // namespace sweetspot
