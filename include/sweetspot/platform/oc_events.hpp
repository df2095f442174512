// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// Over-current events since boot, summed over oc*_event_cnt of the hwmon named "soctherm_oc". A rise means the
/// hardware cut clocks without any other sign in sysfs. Empty where the board does not count them.
[[nodiscard]] std::optional<std::uint64_t> over_current_events(const Attributes& board);

}  // namespace sweetspot
