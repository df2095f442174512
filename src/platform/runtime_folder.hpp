// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Makes the runtime folder (0700) where it is missing; its parent has to exist. Refuses one that is not a folder.
[[nodiscard]] Result<void> make_runtime_folder(const std::string& path);

}  // namespace sweetspot
