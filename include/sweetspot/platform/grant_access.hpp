// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"

namespace sweetspot {

/// Lets `group` write the node's min_freq and max_freq (chgrp, chmod g+w), so that the daemon itself needs no root.
/// Holds until the driver is bound anew. Needs root; run as the unit's first step.
[[nodiscard]] Result<void> grant_access(const FileAttributes& board, const GpuNode& node, const std::string& group);

}  // namespace sweetspot
