// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// An EnergyRecord as one JSON object on one line, field names as in the interface file. What was not measured is null.
/// The date is RFC 3339 in UTC with milliseconds; durations are exact to the nanosecond up to 26 days.
[[nodiscard]] std::string record_to_json(const EnergyRecord& record);
/// Reads one back; unknown fields are ignored.
[[nodiscard]] Result<EnergyRecord> record_from_json(std::string_view json);

[[nodiscard]] std::string decision_to_json(const Decision& decision);
[[nodiscard]] Result<Decision> decision_from_json(std::string_view json);

}  // namespace sweetspot
