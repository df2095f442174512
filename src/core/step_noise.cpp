// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/step_noise.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot {
namespace {

/// A part further from the others than this many standard deviations is of a job that changed between them.
constexpr double wildest = 4;

}  // namespace

void StepNoise::add(double per_step, double steps) {
  if (!(per_step > 0 && steps > 0)) return;
  const double value = std::log(per_step);
  if (parts_++ == 0) {
    mean_ = value;
    steps_ = steps;
    return;
  }
  const double difference = value - mean_;
  const double of_one_step = difference * difference / (1 / steps + 1 / steps_);
  sum_ += std::min(of_one_step, wildest * wildest * sum_ / count_);
  count_ += 1;
  steps_ += steps;
  mean_ += difference * steps / steps_;
}

}  // namespace sweetspot
