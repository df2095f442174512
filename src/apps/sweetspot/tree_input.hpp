// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/wire/tree_file.hpp"

namespace sweetspot {

/// Reads a tree file of at most 1 MiB. Errors name the file and the place in it.
[[nodiscard]] Result<TreeFile> read_tree_file(const std::string& path);

}  // namespace sweetspot
