// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/date_text.hpp"

#include <charconv>
#include <cstdint>

#include "wire/json_text.hpp"

namespace sweetspot {
namespace {

using std::chrono::system_clock;
using Milliseconds = std::chrono::milliseconds;

// Whole years within 64 bits of nanoseconds.
constexpr std::chrono::year first_year{1678};
constexpr std::chrono::year last_year{2261};

void append_padded(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  out.append(width > digits.size() ? width - digits.size() : 0, '0');
  out += digits;
}

/// Takes fixed pieces from the front of a text; once something does not fit, nothing fits any more.
class Pieces {
 public:
  explicit Pieces(std::string_view rest) : rest_(rest) {}

  int number(std::size_t digits, int lowest, int highest) {
    int value = 0;
    if (rest_.size() < digits) return fail();
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + digits, value);
    if (status != std::errc{} || end != rest_.data() + digits || value < lowest || value > highest || rest_[0] == '-')
      return fail();
    rest_.remove_prefix(digits);
    return value;
  }
  bool optional_character(char wanted) {
    if (rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void character(char wanted) {
    if (!optional_character(wanted)) fail();
  }
  /// Digits after the decimal point, down to nanoseconds; finer ones are dropped.
  std::chrono::nanoseconds fraction() {
    std::int64_t value = 0;
    std::int64_t unit = 1'000'000'000;
    std::size_t count = 0;
    for (; count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9'; ++count) {
      unit /= 10;
      value += unit * (rest_[count] - '0');
    }
    if (count == 0) fail();
    rest_.remove_prefix(count);
    return std::chrono::nanoseconds(value);
  }
  [[nodiscard]] bool good_and_done() const { return good_ && rest_.empty(); }

 private:
  int fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool good_ = true;
};

std::chrono::minutes offset_from_utc(Pieces& pieces) {
  if (pieces.optional_character('Z') || pieces.optional_character('z')) return {};
  const int sign = pieces.optional_character('-') ? -1 : 1;
  if (sign == 1) pieces.character('+');
  const int hours = pieces.number(2, 0, 23);
  pieces.character(':');
  return std::chrono::minutes(sign * (hours * 60 + pieces.number(2, 0, 59)));
}

}  // namespace

std::string to_rfc3339(system_clock::time_point time) {
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const auto of_day = std::chrono::floor<Milliseconds>(time - days).count();
  std::string text;
  append_padded(text, static_cast<int>(date.year()), 4);
  text += '-';
  append_padded(text, static_cast<unsigned>(date.month()), 2);
  text += '-';
  append_padded(text, static_cast<unsigned>(date.day()), 2);
  text += 'T';
  append_padded(text, of_day / 3'600'000, 2);
  text += ':';
  append_padded(text, of_day / 60'000 % 60, 2);
  text += ':';
  append_padded(text, of_day / 1000 % 60, 2);
  text += '.';
  append_padded(text, of_day % 1000, 3);
  return text + 'Z';
}

Result<system_clock::time_point> parse_rfc3339(std::string_view text) {
  Pieces pieces(text);
  const std::chrono::year year(pieces.number(4, static_cast<int>(first_year), static_cast<int>(last_year)));
  pieces.character('-');
  const std::chrono::month month(static_cast<unsigned>(pieces.number(2, 1, 12)));
  pieces.character('-');
  const std::chrono::year_month_day date(year, month, std::chrono::day(static_cast<unsigned>(pieces.number(2, 1, 31))));
  if (!pieces.optional_character('t')) pieces.character('T');
  const std::chrono::hours hours(pieces.number(2, 0, 23));
  pieces.character(':');
  const std::chrono::minutes minutes(pieces.number(2, 0, 59));
  pieces.character(':');
  const std::chrono::seconds seconds(pieces.number(2, 0, 60));  // 60: a leap second
  const auto fraction = pieces.optional_character('.') ? pieces.fraction() : std::chrono::nanoseconds{};
  const std::chrono::minutes offset = offset_from_utc(pieces);
  const auto refuse = [text] {
    return failure("'" + clipped(text) + "' is no date; expected for example 2026-07-08T09:30:00.250Z");
  };
  if (!pieces.good_and_done() || !date.ok()) return refuse();
  const system_clock::time_point time = std::chrono::sys_days(date) + hours + minutes + seconds + fraction - offset;
  // An offset can lead out of the years that can be written.
  const std::chrono::year_month_day utc(std::chrono::floor<std::chrono::days>(time));
  if (utc.year() < first_year || utc.year() > last_year) return refuse();
  return time;
}

}  // namespace sweetspot
