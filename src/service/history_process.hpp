// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "service/wakeup.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// Where sweetspotd-history lies: beside the running program, or in ../libexec/sweetspotd.
[[nodiscard]] Result<std::string> history_program();

/// A running sweetspotd-history, the program that writes the history to the disk. It ends with the object, or with this
/// process however that ends. One thread.
class HistoryProcess {
 public:
  /// Starts it. `hurry` rings when nothing is worth waiting for any more; it outlives the object.
  [[nodiscard]] static Result<HistoryProcess> start(const std::vector<std::string>& command, const Wakeup& hurry);
  HistoryProcess(HistoryProcess&& other) noexcept;
  HistoryProcess& operator=(HistoryProcess&&) = delete;
  /// Waits for it to end, a few seconds at most.
  ~HistoryProcess();

  /// Hands over one batch and waits until it is on the disk, `patience` at most. After an error that is not the
  /// program's own answer the process is of no use.
  [[nodiscard]] Result<void> keep(const std::string& batch, Duration patience);
  [[nodiscard]] bool of_use() const { return of_use_; }

 private:
  HistoryProcess(pid_t pid, UniqueFd talk, const Wakeup& hurry) : pid_(pid), talk_(std::move(talk)), hurry_(&hurry) {}
  [[nodiscard]] Result<void> wait_for(short events, Instant deadline);
  [[nodiscard]] Result<void> send(const std::string& batch, Instant deadline);
  [[nodiscard]] Result<std::string> answer(Instant deadline);

  pid_t pid_ = -1;
  UniqueFd talk_;
  const Wakeup* hurry_;
  bool of_use_ = true;
};

}  // namespace sweetspot
