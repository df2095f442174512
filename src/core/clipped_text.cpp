// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/clipped_text.hpp"

namespace sweetspot {

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a UTF-8 sequence
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace sweetspot
