// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// "9.87 J/step +- 0.8 %, 0.21 s/step".
[[nodiscard]] std::string measured_text(const MeasuredClock& one);

/// The joules per step at every clock measured, a line each, drawn on a common scale from the least to the most: `*`
/// is the mean, `-` one standard deviation, `<` the clock the job is at. Lines begin with `indent`, are ASCII, and at
/// most 60 characters wider than it.
[[nodiscard]] std::string curve_text(const std::vector<MeasuredClock>& measured, const std::optional<Hertz>& now,
                                     const std::string& indent);

/// What policy adaptive says of a job: its reason and its curve so far.
[[nodiscard]] std::string learned_text(const StatusReport::Job& job, const std::string& indent);

}  // namespace sweetspot
