// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/attribute_numbers.hpp"

#include <array>
#include <cerrno>
#include <charconv>

namespace sweetspot {
namespace {

/// More than any number with its newline; a longer text is an error of the read.
constexpr std::size_t longest_number = 64;

/// A text from outside, short enough for a message and free of control characters.
std::string quoted(std::string_view text) {
  std::string shown = "\"";
  for (const char c : text.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > 40 ? "…\"" : "\"");
}

template <class Number>
Result<Number> parse_whole(std::string_view text, const char* expected) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return failure(quoted(text) + " is not a number; expected " + expected, EINVAL);
  }
  return value;
}

/// The number in what was read from `path`.
template <class Text, class Number>
Result<Number> number_in(const Result<Text>& text, const std::string& path, Result<Number> (*parse)(std::string_view)) {
  if (!text) return tl::unexpected(text.error());
  auto value = parse(*text);
  if (!value) return failure(std::move(value.error()).within("read " + path));
  return value;
}

Hertz in_hertz(std::uint64_t value) {
  return Hertz{value};
}

}  // namespace

Result<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text, "decimal digits");
}

Result<std::int64_t> parse_signed(std::string_view text) {
  return parse_whole<std::int64_t>(text, "decimal digits, perhaps after a '-'");
}

Result<std::vector<Hertz>> parse_clock_list(std::string_view text) {
  std::vector<Hertz> clocks;
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(" \n");
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::size_t length = std::min(text.find_first_of(" \n"), text.size());
    const auto clock = parse_unsigned(text.substr(0, length));
    if (!clock) return tl::unexpected(clock.error());
    clocks.push_back(Hertz{*clock});
    text.remove_prefix(length);
  }
  return clocks;
}

Result<std::uint64_t> read_unsigned(const Attributes& board, const std::string& path) {
  return number_in(board.read(path), path, parse_unsigned);
}

Result<std::int64_t> read_signed(const Attributes& board, const std::string& path) {
  return number_in(board.read(path), path, parse_signed);
}

Result<Hertz> read_clock(const Attributes& board, const std::string& path) {
  return read_unsigned(board, path).map(in_hertz);
}

Result<std::uint64_t> read_unsigned(const KeptAttribute& file) {
  std::array<char, longest_number> buffer;
  return number_in(file.read(buffer), file.path(), parse_unsigned);
}

Result<std::int64_t> read_signed(const KeptAttribute& file) {
  std::array<char, longest_number> buffer;
  return number_in(file.read(buffer), file.path(), parse_signed);
}

Result<Hertz> read_clock(const KeptAttribute& file) {
  return read_unsigned(file).map(in_hertz);
}

}  // namespace sweetspot
