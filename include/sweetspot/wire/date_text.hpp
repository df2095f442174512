// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// "2026-07-08T09:30:00.250Z": RFC 3339 in UTC, milliseconds (rounded down).
[[nodiscard]] std::string to_rfc3339(std::chrono::system_clock::time_point time);
/// Takes any RFC 3339 date from 1678 to 2261 (the range of a 64-bit count of nanoseconds), with "Z" or an offset.
[[nodiscard]] Result<std::chrono::system_clock::time_point> parse_rfc3339(std::string_view text);

}  // namespace sweetspot
