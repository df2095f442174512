// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// CLOCK_MONOTONIC, the one clock of loop and threads. Any thread.
[[nodiscard]] inline Instant steady_now() {
  return std::chrono::time_point_cast<Duration>(std::chrono::steady_clock::now());
}

}  // namespace sweetspot
