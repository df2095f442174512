// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// For root: gives up root for good and goes on as the user who owns `folder`, with the groups of that user. For
/// anybody else, for a folder of root's and for one that is not there it does nothing. Before any thread starts.
[[nodiscard]] Result<void> become_owner_of(const std::string& folder);

}  // namespace sweetspot
