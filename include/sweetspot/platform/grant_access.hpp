// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// Lets `group` write min_freq and max_freq of a devfreq folder (chgrp, chmod g+w), so that the daemon itself needs no
/// root. Holds until the driver is bound anew. Needs root; run by udev when the node appears and as the unit's first
/// step.
[[nodiscard]] Result<void> grant_access(const FileAttributes& board, const std::string& devfreq_dir,
                                        const std::string& group);

}  // namespace sweetspot
