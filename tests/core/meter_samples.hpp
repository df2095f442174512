// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "sweetspot/core/energy_meter.hpp"

/// Shorthand of the meter's tests: times are seconds after an arbitrary beginning, power is watts.
namespace sweetspot::meter_samples {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double missing = std::numeric_limits<double>::infinity();  ///< in these tests: not read
inline const Duration longest_step = seconds(0.25);
inline const Instant begin{seconds(1000)};

inline Instant at(double s) {
  return begin + seconds(s);
}
inline std::optional<Watts> power_of(double watts) {
  return watts == missing ? std::nullopt : std::optional(Watts{watts});
}
inline PowerSample sample(double s, std::vector<double> watts, std::optional<double> load = std::nullopt) {
  PowerSample made{.at = at(s), .rails = {}, .gpu_load_percent = load};
  for (const double value : watts) made.rails.push_back(power_of(value));
  return made;
}
inline Duration gap_since(const EnergyMeter& meter, double s, std::vector<std::size_t> rails = {0}) {
  return meter.longest_gap(at(s), meter.reading().at, rails);
}
inline MeterReading::Channel only_rail(const EnergyMeter& meter) {
  return meter.reading().rails.at(0);
}

}  // namespace sweetspot::meter_samples
