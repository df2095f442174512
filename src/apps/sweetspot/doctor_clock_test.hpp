// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/wire/findings_json.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// The lock and the saved clock in the service's private folder. Only looks.
[[nodiscard]] std::vector<Finding> runtime_findings(const std::string& runtime_dir);

/// Pins the clock for a moment, reads it back and restores it: with the service's own code, lock and saved file, so
/// that a crash in between is undone like one of the service. Skipped, with the reason, where this user may not write,
/// where the service runs (then its own word is given), and where a pin is left from before.
[[nodiscard]] Finding clock_test(FileAttributes& board, const GpuNode& gpu, const std::string& runtime_dir,
                                 const std::optional<StatusReport>& daemon);

}  // namespace sweetspot
