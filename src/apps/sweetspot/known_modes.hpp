// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sweetspot/analysis/characterisation.hpp"

namespace sweetspot {

/// The power modes of a platform that cap its GPU, as NVIDIA's nvpmodel files have them; empty for others. Modes cap
/// CPU and memory clocks, too, which curves of one mode do not show.
[[nodiscard]] std::vector<CappedMode> capped_modes_of(std::string_view platform);

}  // namespace sweetspot
