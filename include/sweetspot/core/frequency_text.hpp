// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// "612 MHz", "1300.5 MHz": as people read a clock. Exact: what is not a whole multiple of 1 Hz does not exist.
[[nodiscard]] std::string to_text(Hertz clock);

/// A clock as people write it: "612MHz", "612 MHz", "0.612GHz", "612000kHz", "612000000Hz" or bare Hz "612000000". Case
/// of the unit does not matter; one space may stand before it. Fractions of a hertz are rounded. Range: 1 MHz to 100
/// GHz, so that a bare "612" is refused instead of taken for 612 Hz. The error says what is expected.
[[nodiscard]] Result<Hertz> parse_frequency(std::string_view text);

}  // namespace sweetspot
