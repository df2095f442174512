// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "tests/fuzz/properties.hpp"

// The text of an attribute as one number, and as a list of clocks.
namespace sweetspot::fuzz {
namespace {

/// What is left of decimal digits when nothing but their value counts.
std::string_view without_zeros(std::string_view digits) {
  const std::size_t start = digits.find_first_not_of('0');
  return start == std::string_view::npos ? digits.substr(digits.size() - 1) : digits.substr(start);
}

void check_unsigned(std::string_view text) {
  const auto value = parse_unsigned(text);
  if (!value) return require_good_error(value.error(), 200);
  require(without_zeros(text) == std::to_string(*value), "a number is what its digits say");
}

void check_signed(std::string_view text) {
  const auto value = parse_signed(text);
  if (!value) return require_good_error(value.error(), 200);
  const bool minus = text.front() == '-';
  const std::string digits(without_zeros(text.substr(minus ? 1 : 0)));
  require((minus && digits != "0" ? "-" : "") + digits == std::to_string(*value), "a number is what its digits say");
}

void check_table(const FrequencyTable& table, Hertz wanted) {
  require(table.lowest() <= table.highest() && table.lowest().value > 0, "a table has an order");
  const auto clocks = table.clocks();
  require(std::adjacent_find(clocks.begin(), clocks.end(), std::greater_equal<>()) == clocks.end(),
          "each clock stands there once, in order");
  const auto distance = [wanted](Hertz clock) {
    return clock > wanted ? clock.value - wanted.value : wanted.value - clock.value;
  };
  const Hertz nearest = table.nearest(wanted);
  require(table.contains(nearest), "the nearest clock is one of them");
  const auto within = table.highest_within(wanted);
  require(within.has_value() == (table.lowest() <= wanted), "a clock within a limit is found when there is one");
  require(!within || (*within <= wanted && table.contains(*within)), "and is within it");
  for (const Hertz clock : clocks) {
    require(distance(nearest) <= distance(clock), "no other clock is nearer");
    require(!within || clock > wanted || clock <= *within, "no other clock is higher within the limit");
  }
}

void check_list(std::string_view text) {
  const auto clocks = parse_clock_list(text);
  if (!clocks) return require_good_error(clocks.error(), 200);
  require(clocks->size() <= (text.size() + 1) / 2, "every clock has a digit and a space");
  const Hertz wanted = clocks->empty() ? Hertz{} : Hertz{clocks->back().value ^ 1U};
  const auto table = FrequencyTable::from(*clocks);
  if (!table) return require_good_error(table.error(), 200);
  check_table(*table, wanted);
  check_table(*table, Hertz{(table->lowest().value / 2) + (table->highest().value / 2)});
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  const std::string_view text = as_text(bytes, size);
  check_unsigned(text);
  check_signed(text);
  check_list(text);
  return 0;
}
