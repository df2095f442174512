// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

struct ReplayedJob {
  Hertz start;             ///< mapped to the nearest clock that was measured
  std::int64_t steps = 0;  ///< above 0
  double noise = 0;        ///< relative standard deviation of the joules of ten steps, as measured
  std::uint32_t seeds = 1;
};

/// Policy `adaptive` on a measured curve, once per seed. Energies are of a step, in the curve's joules per step, with
/// every step of the job in them: those of windows, of settling and of clocks that turned out bad.
struct AdaptiveReplay {
  std::vector<double> energy;  ///< mean of a step, run by run
  double time = 0;             ///< mean over all runs, in the curve's units; 0 where it has no times
  double probe_share = 0;      ///< mean over all runs, see docs/evaluate.md
  std::optional<Hertz> clock;  ///< where most runs ended; empty: not pinned
  std::string reason;          ///< of the first run
};

/// The policy chooses among the clocks that were measured, and the default governor where it was. Its meter is
/// read through the board's RailSensor. Steps of a curve without times take as long as they do at 15 W at its best
/// clock. The same seeds give the same answer. Expects a curve with points.
[[nodiscard]] AdaptiveReplay replay_adaptive(const Curve& curve, const ReplayedJob& job);

}  // namespace sweetspot
