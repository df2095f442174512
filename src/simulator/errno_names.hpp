// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sweetspot {

/// "EIO" -> 5; empty for names that sysfs files do not answer with.
[[nodiscard]] std::optional<int> errno_of(std::string_view name);
/// 5 -> "EIO", 0 -> "ok".
[[nodiscard]] std::string errno_name(int code);
/// All names, for help texts.
[[nodiscard]] std::string errno_list();

}  // namespace sweetspot
