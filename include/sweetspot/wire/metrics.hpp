// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// The report in Prometheus' text exposition format, as node_exporter's textfile collector takes it: HELP and TYPE once
/// per metric, base units, no timestamps. What is not known has no line.
[[nodiscard]] std::string metrics_text(const StatusReport& report);

}  // namespace sweetspot
