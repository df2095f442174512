// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <initializer_list>
#include <optional>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// Signals taken from a descriptor instead of by handlers. They are blocked while this lives; the mask found before
/// comes back with it. For programs of one thread.
class SignalFeed {
 public:
  struct Signal {
    int number = 0;
    /// Sent with kill(2) and the like; false: the kernel made it, for example for Ctrl-C on the terminal.
    bool from_process = false;
  };
  [[nodiscard]] static Result<SignalFeed> open(std::initializer_list<int> signals);
  SignalFeed(SignalFeed&& other) noexcept = default;
  SignalFeed& operator=(SignalFeed&&) = delete;
  ~SignalFeed();

  /// The next signal; empty when none waits.
  [[nodiscard]] std::optional<Signal> next();
  [[nodiscard]] int fd() const { return fd_.value(); }
  /// The mask as it was, which a child has to get back.
  [[nodiscard]] const sigset_t& mask_before() const { return mask_before_; }

 private:
  SignalFeed(UniqueFd fd, const sigset_t& mask_before) : fd_(std::move(fd)), mask_before_(mask_before) {}
  UniqueFd fd_;
  sigset_t mask_before_;
};

}  // namespace sweetspot
