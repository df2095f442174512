// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What the runs at one clock cost.
struct SweptPoint {
  std::optional<Hertz> clock;  ///< empty: the unpinned baseline
  std::size_t runs = 0;
  double energy_j = 0;  ///< mean
  std::optional<double> energy_deviation_j;
  std::optional<double> time_s;  ///< mean
};

struct MissingRun {
  std::optional<Hertz> clock;
  std::size_t repeat = 1;
  std::optional<std::string> reason;  ///< why its last try does not count; empty: not tried yet
};

/// The answer of `sweetspot sweep`, also of its --dry-run.
struct SweepReport {
  std::string curve_id;
  std::string output;
  std::optional<std::string> svg;
  std::size_t runs = 0;  ///< in the plan
  std::size_t complete = 0;
  std::vector<MissingRun> missing;   ///< in the order in which they would be run
  std::optional<double> expected_s;  ///< of those; empty: not known
  std::optional<Hertz> best;         ///< the clock of least energy
  std::vector<SweptPoint> points;
};

[[nodiscard]] std::string sweep_json(const SweepReport& report);

}  // namespace sweetspot
