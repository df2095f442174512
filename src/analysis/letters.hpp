// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sweetspot {

/// The bytes of a letter, and whether people may be shown it: not what is no UTF-8 (one byte then), no control
/// character but tab and new line, no mark that turns the direction of writing (U+202A...202E, U+2066...2069).
struct Letter {
  std::string_view bytes;
  bool can_be_shown;
};
/// Of a text that is not empty.
[[nodiscard]] Letter first_letter(std::string_view text);

}  // namespace sweetspot
