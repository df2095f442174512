// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sweetspot {

/// The known name that `name` was probably meant to be: by edit distance, or because it ends a longer path. Empty when
/// nothing is near.
[[nodiscard]] std::optional<std::string_view> nearest_name(std::string_view name,
                                                           std::span<const std::string_view> known);

}  // namespace sweetspot
