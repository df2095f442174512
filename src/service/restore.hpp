// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// `sweetspotd --restore`: takes the daemon's lock, gives back the clock a dead daemon left pinned, and says in words
/// what it did. Needs no running daemon and refuses while one lives. Repeating it is harmless.
[[nodiscard]] Result<std::vector<std::string>> restore_clock(const std::string& sysfs_root,
                                                             const std::string& runtime_dir);

}  // namespace sweetspot
