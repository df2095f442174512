// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

/// The power rails: each read once, which are counted, which are left out and why.
[[nodiscard]] std::vector<Finding> rail_findings(const Attributes& board);

}  // namespace sweetspot
