// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sweetspot {

/// A number as people write it: the shortest text that reads back as the same double, without an exponent where it is a
/// whole number below 10^15 ("53", "32.5").
[[nodiscard]] std::string number_text(double value);

/// A number with a fixed count of decimals, 0 to 60 ("22.0", "1.40").
[[nodiscard]] std::string fixed_text(double value, int decimals);

}  // namespace sweetspot
