// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sweetspot {

/// The shipped example, config/config.json, as the table of keys wants it: every key with its default and its comment.
[[nodiscard]] std::string example_config();

/// The table of docs/configuration.md as the table of keys wants it.
[[nodiscard]] std::string configuration_table();

}  // namespace sweetspot
