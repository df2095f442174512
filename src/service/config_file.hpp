// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/wire/config.hpp"

namespace sweetspot {

inline constexpr const char* default_config_path = "/etc/sweetspotd/config.json";

/// Reads the configuration and the tree file it names. Without `path` the default one is read, and a missing file means
/// defaults; a named one must be there. Errors name file and place.
[[nodiscard]] Result<Config> load_config(const std::optional<std::string>& path);

}  // namespace sweetspot
