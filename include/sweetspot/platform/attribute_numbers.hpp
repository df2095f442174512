// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/kept_attribute.hpp"

namespace sweetspot {

/// Decimal digits, the whole text or an error that quotes it. Surrounding blanks and newlines are not digits.
[[nodiscard]] Result<std::uint64_t> parse_unsigned(std::string_view text);
/// The same with an optional leading '-': currents and powers of gated rails read one step below zero.
[[nodiscard]] Result<std::int64_t> parse_signed(std::string_view text);
/// Space-separated clocks in Hz as in available_frequencies; a trailing space or newline is fine, anything else is not.
[[nodiscard]] Result<std::vector<Hertz>> parse_clock_list(std::string_view text);

/// Reads and parses one attribute; errors name its path.
[[nodiscard]] Result<std::uint64_t> read_unsigned(const Attributes& board, const std::string& path);
[[nodiscard]] Result<std::int64_t> read_signed(const Attributes& board, const std::string& path);
[[nodiscard]] Result<Hertz> read_clock(const Attributes& board, const std::string& path);
[[nodiscard]] Result<std::uint64_t> read_unsigned(const KeptAttribute& file);
[[nodiscard]] Result<std::int64_t> read_signed(const KeptAttribute& file);
[[nodiscard]] Result<Hertz> read_clock(const KeptAttribute& file);

}  // namespace sweetspot
