// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sweetspot {

inline constexpr const char* default_socket_path = "/run/sweetspotd/io.sweetspotd.Governor";

/// Where the daemon is: `given` unless empty, else $SWEETSPOT_SOCKET unless empty, else the default.
[[nodiscard]] std::string socket_path(const std::string& given);

}  // namespace sweetspot
