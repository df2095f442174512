// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/look_ahead.hpp"

#include <cmath>

namespace sweetspot {
namespace {

/// Nodes and weights of Gauss-Hermite with five nodes; the one in the middle never moves the best arm.
constexpr std::array<double, 4> nodes{-2.8569700138728, -1.3556261799743, 1.3556261799743, 2.8569700138728};
constexpr std::array<double, 4> weights{0.0112574113277, 0.2220759220056, 0.2220759220056, 0.0112574113277};
/// An arm that lies so many deviations of its distance above the best one is no rival.
constexpr double hopeless = 3;

double expected_fall(const std::array<double, nodes.size()>& least) {
  double fall = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node) fall -= weights[node] * least[node];
  return fall;
}

}  // namespace

void LookAhead::look(const CurveBelief& belief, std::span<const std::size_t> choices) {
  best_ = choices.front();
  for (const std::size_t arm : choices)
    if (belief.mean(arm) < belief.mean(best_)) best_ = arm;
  belief.row(best_, row_);
  rivals_.clear();
  distances_.clear();
  rivals_flags_.assign(belief.arms(), false);
  for (const std::size_t arm : choices) {
    const double distance = belief.mean(arm) - belief.mean(best_);
    const double variance = belief.variance(arm) + row_[best_] - 2 * row_[arm];
    if (distance * distance > hopeless * hopeless * variance) continue;
    rivals_flags_[arm] = true;
    rivals_.push_back(arm);
    distances_.push_back(distance);
  }
}

LookAhead::Variances LookAhead::worth(const CurveBelief& belief, std::size_t arm, const Variances& variances) {
  belief.row(arm, row_);
  const double short_scale = 1 / std::sqrt(row_[arm] + variances[0]);
  const double long_scale = 1 / std::sqrt(row_[arm] + variances[1]);
  std::array<double, nodes.size()> least_short{};
  std::array<double, nodes.size()> least_long{};
  const double common = row_[best_];
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    // Relative to the best arm, so that the unknown offset common to all falls out.
    const double moves = row_[rivals_[i]] - common;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const double after_short = distances_[i] + moves * short_scale * nodes[node];
      const double after_long = distances_[i] + moves * long_scale * nodes[node];
      least_short[node] = after_short < least_short[node] ? after_short : least_short[node];
      least_long[node] = after_long < least_long[node] ? after_long : least_long[node];
    }
  }
  return {expected_fall(least_short), expected_fall(least_long)};
}

}  // namespace sweetspot
