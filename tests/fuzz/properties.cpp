// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/properties.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sweetspot::fuzz {
namespace {

/// How many bytes the sequence that starts with `first` has, and the range of its second byte (Unicode, table 3-7).
struct Sequence {
  std::size_t length;
  unsigned char lowest_second;
  unsigned char highest_second;
};
Sequence sequence_of(unsigned char first) {
  if (first < 0x80) return {1, 0x80, 0xBF};
  if (first >= 0xC2 && first <= 0xDF) return {2, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {3, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first >= 0xF1 && first <= 0xF3) return {4, 0x80, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

void broken(const char* promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Sequence sequence = sequence_of(static_cast<unsigned char>(text.front()));
    if (sequence.length == 0 || sequence.length > text.size()) return false;
    if (sequence.length > 1) {
      const auto second = static_cast<unsigned char>(text[1]);
      if (second < sequence.lowest_second || second > sequence.highest_second) return false;
    }
    for (std::size_t i = 2; i < sequence.length; ++i) {
      if (!is_continuation(text[i])) return false;
    }
    text.remove_prefix(sequence.length);
  }
  return true;
}

bool is_quiet(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool second_of_c1 = i > 0 && static_cast<unsigned char>(text[i - 1]) == 0xC2 && byte >= 0x80 && byte < 0xA0;
    if (byte < 0x20 || byte == 0x7F || second_of_c1) return false;
  }
  return true;
}

void require_good_error(const Error& error, std::size_t most_bytes) {
  require(!error.message.empty(), "an error says what is wrong");
  require(error.message.size() <= most_bytes, "an error is short enough to read");
  require(is_utf8(error.message), "an error is UTF-8");
}

std::string_view require_message(std::string_view message) {
  require(!message.empty() && message.find('\0') == message.size() - 1, "a message ends with its only NUL");
  message.remove_suffix(1);
  require(is_utf8(message), "a message is UTF-8");
  return message;
}

}  // namespace sweetspot::fuzz
