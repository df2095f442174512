// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A JobSpec as one JSON object; absent fields are left out.
[[nodiscard]] std::string spec_to_json(const JobSpec& spec);
/// Reads a JobSpec, for example from a file a user wrote: `//` comments are allowed, unknown keys are refused with the
/// list of those known, errors name the place. Ranges are not checked: that is problem_in(spec).
[[nodiscard]] Result<JobSpec> spec_from_json(std::string_view json);
/// The keys of a JobSpec, in the interface file's order.
[[nodiscard]] const std::vector<std::string>& spec_keys();

}  // namespace sweetspot
