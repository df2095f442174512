// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// A status for people: one topic a line, jobs and rails as tables. Ends with a newline; no line is styled.
[[nodiscard]] std::string status_text(const StatusReport& report);

/// Rows of cells as left-aligned columns two blanks apart; each row begins with `indent` and ends with a newline.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, const std::string& indent);

}  // namespace sweetspot
