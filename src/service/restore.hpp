// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// `sweetspotd --restore`, also systemd's ExecStopPost=: takes the daemon's lock, gives back the clock a dead daemon
/// left pinned, and says in words what it did. Needs no running daemon and refuses while one lives. Repeating it is
/// harmless. A hand-over mark is used up, and keeps the clock pinned this once if the service manager confirms that the
/// unit is being restarted.
[[nodiscard]] Result<std::vector<std::string>> restore_clock(const std::string& sysfs_root,
                                                             const std::string& runtime_dir);

}  // namespace sweetspot
