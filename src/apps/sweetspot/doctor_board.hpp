// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/wire/findings_json.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

struct BoardFindings {
  std::vector<Finding> findings;
  std::optional<GpuNode> gpu;
};

/// What the board's own files say: identity, GPU node, limits and power mode, governor, load, rails. Only
/// reads. `daemon`: its status where it answers, which explains a pinned clock.
[[nodiscard]] BoardFindings board_findings(const Attributes& board, const std::optional<StatusReport>& daemon);

}  // namespace sweetspot
