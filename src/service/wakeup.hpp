// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// How a worker thread tells the loop that it has news: an eventfd. ring() may be called from any thread.
class Wakeup {
 public:
  [[nodiscard]] static Result<Wakeup> create();
  void ring() const;
  /// Takes all rings so far. Loop thread only.
  void take() const;
  [[nodiscard]] int fd() const { return fd_.value(); }

 private:
  explicit Wakeup(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace sweetspot
