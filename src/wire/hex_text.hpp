// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweetspot {

/// Any bytes as two lower-case digits each.
[[nodiscard]] std::string to_hex(std::string_view bytes);
/// The reverse; empty for what to_hex() does not write.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);

}  // namespace sweetspot
