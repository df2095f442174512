// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// Where the GPU clock stands with respect to what we want of it.
enum class ClockCondition {
  released,    ///< the limits are as we found them
  pending,     ///< a pin or a release is on its way
  pinned,      ///< min and max read back as wanted, cur_freq (where it tells) too
  capped,      ///< a kernel-side cap (thermal) is below the pin; it recovers by itself
  not_obeyed,  ///< min and max read as wanted, but the GPU runs at another clock
  lost,        ///< somebody else wrote the limits
  waiting,     ///< nothing written yet: a cooling device hides the limits that would have to be saved
  failing,     ///< a write or read is refused; tried again
  gave_up,     ///< refused too often: released, not tried again until the goal changes
  blocked,     ///< a read or write has not come back
  no_gpu,      ///< no GPU devfreq node
};
[[nodiscard]] std::string_view name_of(ClockCondition condition);

/// What the clock worker knows. A value: it crosses from the worker's thread to the loop.
struct ClockStatus {
  ClockCondition condition = ClockCondition::no_gpu;
  std::optional<Hertz> goal;     ///< what it is about; empty: released
  std::optional<Hertz> applied;  ///< the clock in force, while limits hold it to one
  std::optional<Hertz> current;  ///< cur_freq at the last look, while the GPU is powered
  std::string detail;            ///< in words: what, which value, who as far as known
  /// The last look that still found the clock held, where this is about its loss: time after it counts for no clock.
  std::optional<Instant> held_until;
  friend bool operator==(const ClockStatus&, const ClockStatus&) = default;
};

}  // namespace sweetspot
