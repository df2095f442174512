// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sweetspot/wire/evaluation_json.hpp"

namespace sweetspot {

/// One summary per policy, in the order in which `policies` names them, over the rows that are given.
[[nodiscard]] std::vector<PolicySummary> summaries_of(std::span<const EvaluatedCurve> rows,
                                                      std::span<const std::string> policies);
/// The same for each platform, in the order of their first rows.
[[nodiscard]] std::vector<PlatformSummary> summaries_by_platform(std::span<const EvaluatedCurve> rows,
                                                                 std::span<const std::string> policies);

}  // namespace sweetspot
