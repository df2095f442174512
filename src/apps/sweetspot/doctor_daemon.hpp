// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/wire/findings_json.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

struct DaemonFindings {
  std::vector<Finding> findings;
  std::optional<StatusReport> status;    ///< empty: it does not answer
  std::optional<GovernorClient> client;  ///< with `status`: the connection it came over
};

/// Whether the daemon answers, its version, and what it says of itself. A daemon that does not run is a warning:
/// everything else may still be in order.
[[nodiscard]] DaemonFindings daemon_findings(const std::string& socket_path);

}  // namespace sweetspot
