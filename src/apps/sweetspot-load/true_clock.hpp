// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "apps/sweetspot-load/load_options.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/load/clock_comparison.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// Counts the cycles of the GPU while it works, and holds each count against cur_freq and the over-current events of
/// the board.
class TrueClock {
 public:
  /// `keep_busy` gives the GPU a little work and comes back when it is done; all outlive this object.
  TrueClock(const Attributes& board, CycleCounter& counter, std::function<Result<void>()> keep_busy);

  [[nodiscard]] Result<ClockReading> read(Duration window);
  /// Works without counting.
  [[nodiscard]] Result<void> work(Duration time);
  /// "/sys/class/devfreq/17000000.gpu", or why there is none.
  [[nodiscard]] const std::string& where() const { return where_; }
  /// Over-current events since this object was made, where the board counts them.
  [[nodiscard]] std::optional<std::uint64_t> over_current_events() const;

 private:
  [[nodiscard]] std::optional<Hertz> reported() const;

  const Attributes* board_;
  CycleCounter* counter_;
  std::function<Result<void>()> keep_busy_;
  std::string where_;
  std::optional<std::string> file_;  // cur_freq
  std::optional<std::uint64_t> events_before_;
};

/// "cur_freq 918 MHz, counted 917.6 MHz (-0.0 %): agrees".
[[nodiscard]] std::string reading_line(const ClockReading& reading);

/// Reads as often as asked, prints a line for each and what they come to. Exit status as of train().
[[nodiscard]] int show_true_clock(const LoadOptions& options);
/// The same on a given board and GPU. Error: the GPU failed.
[[nodiscard]] Result<void> show_readings(TrueClock& clock, const LoadOptions& options, std::ostream& out);

}  // namespace sweetspot
