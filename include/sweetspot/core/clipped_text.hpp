// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sweetspot {

/// Text of somebody else's, short enough for a message: at most `most` bytes, then "…"; no UTF-8 sequence is cut.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t most = 60);

}  // namespace sweetspot
