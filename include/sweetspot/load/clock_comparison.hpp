// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sweetspot/core/units.hpp"
#include "sweetspot/load/gpu.hpp"

namespace sweetspot {

/// A counted clock, and what devfreq's cur_freq said just before and after.
struct ClockReading {
  CycleCount count;
  std::optional<Hertz> reported_before;
  std::optional<Hertz> reported_after;
};

enum class ClockAgreement {
  agrees,
  slower,   // than both reports: throttled by hardware, which sysfs does not show
  faster,   // than both
  unknown,  // nothing was reported
};

/// Cycles over time; 0 where no time passed.
[[nodiscard]] Hertz clock_of(const CycleCount& count);

/// Whether the count lies between the two reports, with 2 % to either side: reports are rounded by up to 1 %.
[[nodiscard]] ClockAgreement agreement_in(const ClockReading& reading);

}  // namespace sweetspot
