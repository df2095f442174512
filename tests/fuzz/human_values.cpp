// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/wire/date_text.hpp"
#include "tests/fuzz/properties.hpp"

// What people write for a clock, a length of time and a date, and what is shown of a text of somebody else's.
namespace sweetspot::fuzz {
namespace {

void check_clock(std::string_view text) {
  const auto clock = parse_frequency(text);
  if (!clock) return require(!clock.error().message.empty(), "a refusal has words");
  require(*clock >= megahertz(1) && *clock <= megahertz(100'000), "a clock is within its range");
  const auto again = parse_frequency(to_text(*clock));
  require(again.has_value() && *again == *clock, "a clock that is shown and read again is the same");
}

void check_duration(std::string_view text) {
  const auto duration = parse_duration(text);
  if (!duration) return require(!duration.error().message.empty(), "a refusal has words");
  require(duration->count() >= 0, "a length of time is not negative");
  require(!duration_text(*duration).empty(), "and can be shown");
}

void check_date(std::string_view text) {
  const auto date = parse_rfc3339(text);
  if (!date) {
    require(is_utf8(date.error().message) || !is_utf8(text), "a refusal stays UTF-8");
    return require(date.error().message.size() <= 200, "a refusal is short");
  }
  const std::string shown = to_rfc3339(*date);
  const auto again = parse_rfc3339(shown);
  require(again.has_value(), "a date that is shown can be read");
  require(*date - *again >= Duration(0) && *date - *again < std::chrono::milliseconds(1), "to the millisecond");
}

void check_shown(std::string_view text) {
  const std::string shown = printable(text);
  require(is_quiet(shown), "a terminal gets nothing that it would obey");
  require(is_utf8(shown) || !is_utf8(text), "what is shown stays UTF-8");
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  const std::string_view text = as_text(bytes, size);
  check_clock(text);
  check_duration(text);
  check_date(text);
  check_shown(text);
  return 0;
}
