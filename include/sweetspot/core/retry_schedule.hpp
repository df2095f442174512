// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// When to try again what the board refused: after 1, 2, 4 … s, `attempts` times in all.
class RetrySchedule {
 public:
  explicit RetrySchedule(std::uint64_t attempts) : attempts_(attempts) {}
  /// Notes one more failure. The instant of the next try; empty when it is time to give up.
  [[nodiscard]] std::optional<Instant> failed(Instant now) {
    ++failures_;
    if (failures_ >= attempts_) return std::nullopt;
    const Duration wait = seconds(static_cast<double>(std::uint64_t{1} << (failures_ - 1 < 6 ? failures_ - 1 : 6)));
    return now + wait;
  }
  void succeeded() { failures_ = 0; }
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

 private:
  std::uint64_t attempts_;
  std::uint64_t failures_ = 0;
};

/// How often a clock that somebody else changed is pinned anew: `per_minute` times, so that two programs never fight in
/// a loop. 0 leaves every foreign change in place.
class RepinBudget {
 public:
  explicit RepinBudget(std::uint64_t per_minute) : per_minute_(per_minute) {}
  /// Takes one re-pin out of the budget, or says when there is one again.
  [[nodiscard]] std::optional<Instant> wait_until(Instant now) {
    constexpr Duration minute = std::chrono::minutes(1);
    while (!spent_.empty() && now - spent_.front() >= minute) spent_.pop_front();
    if (spent_.size() >= per_minute_) return (spent_.empty() ? now : spent_.front()) + minute;
    spent_.push_back(now);
    return std::nullopt;
  }

 private:
  std::uint64_t per_minute_;
  std::deque<Instant> spent_;
};

}  // namespace sweetspot
