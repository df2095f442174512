// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/attribute_numbers.hpp"

#include <cerrno>
#include <charconv>

namespace sweetspot {
namespace {

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
  const auto text = board.read(path);
  if (!text) return tl::unexpected(text.error());
  auto value = parse_unsigned(*text);
  if (!value) return failure(std::move(value.error()).within("read " + path));
  return value;
}

Result<std::int64_t> read_signed(const Attributes& board, const std::string& path) {
  const auto text = board.read(path);
  if (!text) return tl::unexpected(text.error());
  auto value = parse_signed(*text);
  if (!value) return failure(std::move(value.error()).within("read " + path));
  return value;
}

Result<Hertz> read_clock(const Attributes& board, const std::string& path) {
  return read_unsigned(board, path).map([](std::uint64_t value) { return Hertz{value}; });
}

}  // namespace sweetspot
