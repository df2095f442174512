// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What a job's steps were measured to cost at one clock. Passive.
struct MeasuredClock {
  std::optional<Hertz> clock;  ///< empty: not pinned
  double joules_per_step = 0;  ///< mean over `steps`
  double seconds_per_step = 0;
  double uncertainty = 0;  ///< of what is believed of that clock, as a share: one standard deviation
  double steps = 0;
  friend bool operator==(const MeasuredClock&, const MeasuredClock&) = default;
};

}  // namespace sweetspot
