// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <vector>

namespace sweetspot::bench {

using Clock = std::chrono::steady_clock;

/// Times of many runs of the same thing, in microseconds.
class Spread {
 public:
  void add(Clock::duration time);
  /// The smallest time that at least this share (0..1) of the runs kept; 0 before the first run.
  [[nodiscard]] double quantile(double share) const;
  [[nodiscard]] double median() const { return quantile(0.5); }
  [[nodiscard]] std::size_t runs() const { return times_us_.size(); }

 private:
  std::vector<double> times_us_;
};

/// Runs `what` once and notes how long it took.
template <class What>
void time_into(Spread& spread, What&& what) {
  const auto began = Clock::now();
  what();
  spread.add(Clock::now() - began);
}

}  // namespace sweetspot::bench
