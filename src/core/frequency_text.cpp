// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/frequency_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace sweetspot {
namespace {

std::optional<double> unit_factor(std::string_view unit) {
  std::string lower(unit);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  if (lower.empty() || lower == "hz") return 1.0;
  if (lower == "khz") return 1e3;
  if (lower == "mhz") return 1e6;
  if (lower == "ghz") return 1e9;
  return std::nullopt;
}

}  // namespace

std::string to_text(Hertz clock) {
  const std::uint64_t whole = clock.value / 1'000'000;
  std::string fraction = std::to_string(1'000'000 + clock.value % 1'000'000).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return std::to_string(whole) + (fraction.empty() ? "" : "." + fraction) + " MHz";
}

Result<Hertz> parse_frequency(std::string_view text) {
  const auto refuse = [text] {
    return failure("'" + std::string(text) +
                   "' is not a clock; expected for example 612MHz, 0.612GHz or 612000000 (Hz), from 1 MHz to 100 GHz");
  };
  double number = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (status != std::errc{}) return refuse();
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.size() > 1 && unit.front() == ' ') unit.remove_prefix(1);
  const std::optional<double> factor = unit_factor(unit);
  if (!factor) return refuse();
  const double hertz = number * *factor;
  if (!(hertz >= 1e6 && hertz <= 1e11)) return refuse();
  return Hertz{static_cast<std::uint64_t>(std::llround(hertz))};
}

}  // namespace sweetspot
