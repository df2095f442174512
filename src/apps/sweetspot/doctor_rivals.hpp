// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

/// Other programs that write the GPU's limits, or change what a job costs, as they run or are set to run: jtop's
/// service, nvpmodel and its desktop indicator, jetson_clocks, power-profiles-daemon, tuned. `system` is where /proc
/// and the units are: seen by their processes, unit files and control groups, without a bus. One finding says so where
/// none is there. Nobody's name is inferred from the limits: two programs leave the same.
[[nodiscard]] std::vector<Finding> rival_findings(const Attributes& system);

/// What jetson_clocks left: limits it stored (`store`: its l4t_dfs.conf, as read through `system`) that a later
/// `--restore` would write, and a GPU that never gates its power.
[[nodiscard]] std::vector<Finding> jetson_clocks_findings(const Attributes& system,
                                                          const std::vector<std::string>& stores,
                                                          const Attributes& board, const GpuNode& gpu);
/// Where jetson_clocks keeps them: in the home folder of whoever ran it.
[[nodiscard]] std::vector<std::string> jetson_clocks_stores();

}  // namespace sweetspot
