// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sweetspot/core/curve_belief.hpp"

namespace sweetspot {

/// What one more measurement is worth: by how much the least mean among the arms that may be chosen is expected to
/// fall. That is the knowledge gradient of Frazier, Powell and Dayanik (2009), integrated by Gauss-Hermite. Nothing is
/// allocated after the first look at a board.
class LookAhead {
 public:
  /// Two lengths of a window are asked about at once, by the variance of what they measure.
  using Variances = std::array<double, 2>;

  /// Looks at a belief. `choices`: the arms that may be chosen, not empty.
  void look(const CurveBelief& belief, std::span<const std::size_t> choices);
  /// The choice with the least mean.
  [[nodiscard]] std::size_t best() const { return best_; }
  /// What measuring this arm is worth, a share of a step's cost. `belief`: the one that was looked at.
  [[nodiscard]] Variances worth(const CurveBelief& belief, std::size_t arm, const Variances& variances);
  /// Whether an arm may yet turn out to be the best choice.
  [[nodiscard]] bool plausible(std::size_t arm) const { return rivals_flags_[arm]; }

 private:
  std::size_t best_ = 0;
  std::vector<std::size_t> rivals_;  ///< choices that may turn out to be the best
  std::vector<bool> rivals_flags_;
  std::vector<double> distances_;  ///< of the rivals' means to the best one's
  std::vector<double> row_;
};

}  // namespace sweetspot
