// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sweetspot {

/// Anybody's text as it may stand in HTML or XML, between tags and within a quoted attribute. What is no UTF-8, and
/// control characters, which XML forbids, become U+FFFD. So do the marks that turn the direction of writing
/// (U+202A...202E, U+2066...2069): one name could make the rest of a line read backwards.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace sweetspot
