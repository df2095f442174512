// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sweetspot/simulator/board.hpp"

namespace sweetspot {

/// `count` clocks from `low` to `high`, evenly spaced.
[[nodiscard]] std::vector<Hertz> stepped(double low_mhz, double high_mhz, int count);

[[nodiscard]] Board agx_xavier_jp4();
[[nodiscard]] Board nano_jp4();
[[nodiscard]] Board agx_thor_jp7();

}  // namespace sweetspot
