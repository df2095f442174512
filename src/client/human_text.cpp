// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/human_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

// 1.23, 12.3, 123: decides after rounding, so that 9.996 becomes 10.0 and not 10.00.
std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size < 9.995) return fixed_text(value, 2);
  if (size < 99.95) return fixed_text(value, 1);
  return fixed_text(value, 0);
}

std::string two_parts(std::int64_t large, const char* large_unit, std::int64_t small, const char* small_unit) {
  return std::to_string(large) + " " + large_unit + " " + std::to_string(small) + " " + small_unit;
}

std::string clock_part(const EnergyRecord& record) {
  if (!record.applied) return record.decision.frequency ? "clock never held" : "clock left to the kernel";
  std::string text = to_text(*record.applied);
  if (record.share_at_clock && *record.share_at_clock < 0.995)
    text += " (" + percent_text(*record.share_at_clock) + " of the time)";
  return text;
}

std::string energy_part(const EnergyRecord& record) {
  if (!record.energy) return "energy not measured";
  return energy_text(*record.energy) + " on " + sum_text(record.rails_counted);
}

std::string sharing_part(const EnergyRecord& record) {
  if (record.shared_with == 0) return {};
  std::string text =
      ", shared with " + std::to_string(record.shared_with) + (record.shared_with == 1 ? " other job" : " other jobs");
  if (record.share) text += " (equal share " + energy_text(*record.share) + ")";
  return text;
}

}  // namespace

std::string energy_text(Joules energy) {
  const double size = std::fabs(energy.value);
  if (size >= 999'500) return three_digits(energy.value / 1e6) + " MJ";
  if (size >= 999.5) return three_digits(energy.value / 1e3) + " kJ";
  return three_digits(energy.value) + " J";
}

std::string power_text(Watts power) {
  return fixed_text(power.value, 1) + " W";
}

std::string duration_text(Duration duration) {
  const double exact = in_seconds(duration);
  if (exact < 0.9995) return fixed_text(exact * 1e3, 0) + " ms";
  if (exact < 59.95) return fixed_text(exact, 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(exact));
  if (whole < 3600) return two_parts(whole / 60, "min", whole % 60, "s");
  const std::int64_t minutes = whole / 60;
  if (minutes < 24 * 60) return two_parts(minutes / 60, "h", minutes % 60, "min");
  return two_parts(minutes / (24 * 60), "d", minutes / 60 % 24, "h");
}

std::string percent_text(double share) {
  // The small term undoes what binary fractions take off a decimal: 0.993 * 1000 is 992.99….
  const double tenths = std::floor(share * 1000 + 1e-9);
  const bool whole = std::fmod(tenths, 10) == 0;
  return fixed_text(tenths / 10, whole ? 0 : 1) + " %";
}

Result<Duration> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  for (const Unit& unit : units) {
    // 1e9 s: what the protocol takes, and far from where a count of nanoseconds overflows.
    if (problem == std::errc{} && rest == unit.name && number >= 0 && number * unit.seconds <= 1e9)
      return seconds(number * unit.seconds);
  }
  return failure("expected a length of time such as 90, 90s, 500ms, 20min or 2h, not \"" + printable(text) + "\"");
}

std::string printable(std::string_view text) {
  std::string clean(text);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const auto byte = static_cast<unsigned char>(clean[i]);
    // U+0080 to U+009F, which terminals obey too, are C2 80 to C2 9F in UTF-8.
    const bool after_c2 = i > 0 && static_cast<unsigned char>(clean[i - 1]) == 0xC2;
    const bool c1 = after_c2 && byte >= 0x80 && byte < 0xA0;
    if (c1) clean[i - 1] = '?';
    if (c1 || byte < 0x20 || byte == 0x7F) clean[i] = '?';
  }
  return clean;
}

std::string sum_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " + ") + printable(name);
  return text;
}

std::string record_line(const EnergyRecord& record) {
  std::string text = clock_part(record) + ", " + energy_part(record) + " in " + duration_text(record.duration);
  if (record.mean_power) text += " (mean " + power_text(*record.mean_power) + ")";
  if (record.energy) text += ", coverage " + percent_text(record.coverage);
  if (record.energy && record.steps && *record.steps > 0)
    text += ", " + energy_text({record.energy->value / static_cast<double>(*record.steps)}) + " per step";
  text += sharing_part(record);
  if (record.energy && !record.energy_valid) text += "; too little was measured to trust the energy";
  return text;
}

std::string decided_clock(const Decision& decision) {
  return decision.frequency ? to_text(*decision.frequency) : "kernel governor";
}

}  // namespace sweetspot
