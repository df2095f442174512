// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/drift_watch.hpp"

#include <algorithm>

namespace sweetspot {
namespace {

constexpr double slack = 0.75;  ///< half the shift that matters, in standard deviations
constexpr double alarm = 8;

}  // namespace

bool DriftWatch::add(double surprise) {
  // One wild reading (a checkpoint, a stall) must not be an alarm of its own.
  const double bounded = std::clamp(surprise, -6.0, 6.0);
  above_ = std::max(0.0, above_ + bounded - slack);
  below_ = std::max(0.0, below_ - bounded - slack);
  if (above_ < alarm && below_ < alarm) return false;
  above_ = below_ = 0;
  return true;
}

}  // namespace sweetspot
