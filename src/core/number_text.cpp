// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace sweetspot {

std::string number_text(double value) {
  std::array<char, 64> text{};
  if (std::abs(value) < 1e15 && value == std::floor(value)) return std::to_string(static_cast<std::int64_t>(value));
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return std::string(text.data(), end);
}

std::string fixed_text(double value, int decimals) {
  std::array<char, 384> text{};  // 1.8e308 has 309 digits before the point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  return std::string(text.data(), end);
}

}  // namespace sweetspot
