// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/step_noise.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot {
namespace {

/// Halves further apart than this many standard deviations are of a job that changed between them.
constexpr double wildest = 4;

}  // namespace

void StepNoise::compare(double first, double first_steps, double second, double second_steps) {
  if (!(first > 0 && second > 0 && first_steps > 0 && second_steps > 0)) return;
  const double difference = std::log(first / second);
  const double of_one_step = difference * difference / (1 / first_steps + 1 / second_steps);
  sum_ += std::min(of_one_step, wildest * wildest * sum_ / count_);
  count_ += 1;
}

}  // namespace sweetspot
