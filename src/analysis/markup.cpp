// SPDX-License-Identifier: Apache-2.0
#include "analysis/markup.hpp"

#include "analysis/letters.hpp"

namespace sweetspot {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [letter, can_be_shown] = first_letter(text);
    text.remove_prefix(letter.size());
    if (!can_be_shown)
      out += replacement;
    else if (letter == "&")
      out += "&amp;";
    else if (letter == "<")
      out += "&lt;";
    else if (letter == ">")
      out += "&gt;";
    else if (letter == "\"")
      out += "&quot;";
    else if (letter == "'")
      out += "&#39;";
    else
      out += letter;
  }
  return out;
}

}  // namespace sweetspot
