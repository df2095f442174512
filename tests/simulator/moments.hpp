// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "sweetspot/core/units.hpp"

namespace sweetspot::tests {

/// When what a test plays begins.
inline constexpr Instant start{};

constexpr std::chrono::milliseconds ms(std::int64_t count) {
  return std::chrono::milliseconds(count);
}

}  // namespace sweetspot::tests
