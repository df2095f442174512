// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// One run of a sweep: a clock, or the unpinned baseline, for the `repeat`-th time.
struct SweepPoint {
  std::optional<Hertz> clock;  ///< empty: nothing pinned
  std::size_t repeat = 1;      ///< counted from 1
  friend auto operator<=>(const SweepPoint&, const SweepPoint&) = default;
};
/// "612 MHz" or "baseline", with ", repeat 2" behind the first.
[[nodiscard]] std::string to_text(const SweepPoint& point);

struct SweepRequest {
  std::vector<Hertz> clocks;
  bool baseline = false;
  std::size_t repeats = 1;
  std::uint64_t seed = 1;
};

/// The runs of a sweep in the order in which to make them. Every repeat is a round of all clocks (and the baseline) in
/// a shuffled order of its own, so that what drifts, such as the room's temperature, is spread over the clocks and the
/// repeats of one clock lie far apart. The same request gives the same plan, on every machine.
[[nodiscard]] std::vector<SweepPoint> sweep_plan(const SweepRequest& request);

/// A run that was made: what the estimate of the rest needs.
struct TimedRun {
  SweepPoint point;
  double seconds = 0;  ///< above 0
};

/// What is known before the first run.
struct SweepPace {
  double pause_s = 0;                ///< settling and cooling down, for every run
  std::optional<double> top_time_s;  ///< how long a run takes at `top`, as somebody says
  Hertz top;                         ///< the board's highest clock
};

/// How long the runs that are left will take, pauses included. A run takes as long as those at its clock took; at
/// clocks not seen yet, as a part that the clock does not speed up and one that it does, fitted to those that were
/// seen. From one clock, or from `top_time_s`, all of it is taken to scale with the clock, which is the worst case
/// below it. Empty: nothing is known yet.
[[nodiscard]] std::optional<double> expected_seconds(std::span<const SweepPoint> left, std::span<const TimedRun> done,
                                                     const SweepPace& pace);

}  // namespace sweetspot
