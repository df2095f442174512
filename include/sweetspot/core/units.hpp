// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace sweetspot {

/// A clock frequency. devfreq counts in whole hertz, and so do we: 1300.5 MHz is 1300500000 and nothing near it.
struct Hertz {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(const Hertz&, const Hertz&) = default;
};
[[nodiscard]] constexpr Hertz megahertz(double mhz) {
  return Hertz{static_cast<std::uint64_t>(mhz * 1e6 + 0.5)};
}
[[nodiscard]] constexpr double in_megahertz(Hertz f) {
  return static_cast<double>(f.value) / 1e6;
}

/// Time inside the program: CLOCK_MONOTONIC, which neither boots in 1970 nor jumps. The core only computes with it;
/// shells read it. Wall-clock time exists only in what people read (EnergyRecord::started).
using Duration = std::chrono::nanoseconds;
using Instant = std::chrono::time_point<std::chrono::steady_clock, Duration>;
[[nodiscard]] constexpr double in_seconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}
[[nodiscard]] constexpr Duration seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

/// Electrical power. May be negative: one step below zero is a normal reading of a gated rail.
struct Watts {
  double value = 0;
  friend constexpr auto operator<=>(const Watts&, const Watts&) = default;
  friend constexpr Watts operator+(Watts a, Watts b) { return {a.value + b.value}; }
};

/// Energy.
struct Joules {
  double value = 0;
  friend constexpr auto operator<=>(const Joules&, const Joules&) = default;
  friend constexpr Joules operator+(Joules a, Joules b) { return {a.value + b.value}; }
  friend constexpr Joules operator-(Joules a, Joules b) { return {a.value - b.value}; }
  constexpr Joules& operator+=(Joules b) {
    value += b.value;
    return *this;
  }
};
[[nodiscard]] constexpr Joules operator*(Watts p, Duration d) {
  return {p.value * in_seconds(d)};
}
[[nodiscard]] constexpr Watts operator/(Joules e, Duration d) {
  return {e.value / in_seconds(d)};
}

}  // namespace sweetspot
