// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/job_aim.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The ways a job can run: pinned to one of a board's clocks, in the table's order, and perhaps, last, not pinned.
struct Arms {
  std::vector<Hertz> clocks;
  bool unpinned = false;

  [[nodiscard]] std::size_t size() const { return clocks.size() + (unpinned ? 1 : 0); }
  /// Empty for the arm that is not pinned.
  [[nodiscard]] std::optional<Hertz> clock(std::size_t arm) const {
    return arm < clocks.size() ? std::optional(clocks[arm]) : std::nullopt;
  }
};

/// Curves of one kind: mean and covariance of the natural logarithms over the arms, up to an offset common to all arms,
/// of which nothing is known.
struct CurveFamily {
  double weight = 1;  ///< share of belief that a job's curve is of this kind
  std::vector<double> mean;
  std::vector<double> covariance;  ///< row by row
};

/// What physics says of a job's joules per step before any is measured.
///
/// The families are the moments of a few hundred jobs on made-up boards, sorted by where their optimum lies: a step
/// takes (floor^n + (work / f)^n)^(1/n), and draws a fixed power, one that goes with f·V²(f) and the load, and one that
/// goes with the work done. The voltage is flat up to a knee and rises above it. Ranges are wide: 5 % to four times the
/// top clock's work as the floor, a knee at 15 to 80 % of the top clock. Jobs for which the clock `start` would be a
/// bad one weigh less, since a policy chose it.
struct CurvePrior {
  Arms arms;
  std::vector<CurveFamily> families;  ///< of what is to be least, per step
  CurveFamily times;                  ///< of the seconds per step
  std::size_t start = 0;              ///< the arm of the clock to start at

  /// Costs a millisecond or so. `start` is mapped to the nearest clock.
  [[nodiscard]] static CurvePrior on(const FrequencyTable& table, Hertz start, bool with_unpinned,
                                     Least least = Least::energy);
};

}  // namespace sweetspot
