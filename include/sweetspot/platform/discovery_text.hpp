// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// What discovery makes of a board, as `key = value` lines: identity, power mode, GPU node and its clocks, every rail
/// with its power now, rails left out and why, rails counted, temperature, over-current events. `expected.txt` of a
/// recorded board is this text; what a board does not have is not mentioned.
[[nodiscard]] std::string discovery_text(const Attributes& board);

}  // namespace sweetspot
