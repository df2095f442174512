// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// The group whose members may connect, root always may.
inline constexpr const char* client_group = "sweetspot-users";

/// The daemon's socket: the one that systemd passed, if any, else one bound to `path` (0660, group sweetspot-users
/// where that group exists). Makes the folder when it is missing, replaces a socket nobody listens on, refuses one that
/// is in use.
[[nodiscard]] Result<UniqueFd> listening_socket(const std::string& path, std::vector<UniqueFd> passed);

}  // namespace sweetspot
