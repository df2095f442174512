// SPDX-License-Identifier: Apache-2.0
#include "analysis/letters.hpp"

#include <cstddef>
#include <cstdint>

namespace sweetspot {
namespace {

/// Length of the UTF-8 sequence at the start, 0 for none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t at) -> std::uint32_t {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto follows = [&byte](std::size_t at, std::uint32_t low = 0x80, std::uint32_t high = 0xBF) {
    return byte(at) >= low && byte(at) <= high;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second = follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second = follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool forbidden(std::string_view letter) {
  if (letter.size() == 1) {
    const auto byte = static_cast<unsigned char>(letter[0]);
    return (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7F;
  }
  const bool c1_control = letter.size() == 2 && letter[0] == '\xC2' && static_cast<unsigned char>(letter[1]) < 0xA0;
  const bool turns =
      (letter >= "\xE2\x80\xAA" && letter <= "\xE2\x80\xAE") || (letter >= "\xE2\x81\xA6" && letter <= "\xE2\x81\xA9");
  const bool no_character = letter == "\xEF\xBF\xBE" || letter == "\xEF\xBF\xBF";
  return c1_control || (letter.size() == 3 && turns) || no_character;
}

}  // namespace

Letter first_letter(std::string_view text) {
  const std::size_t length = sequence_length(text);
  const std::string_view bytes = text.substr(0, length == 0 ? 1 : length);
  return {bytes, length != 0 && !forbidden(bytes)};
}

}  // namespace sweetspot
