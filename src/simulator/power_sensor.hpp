// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "simulator/plant.hpp"

namespace sweetspot {

/// What a rail's registers hold after a conversion.
struct RailReading {
  double millivolts = 0;  ///< bus voltage, steps of 8 mV
  double milliamps = 0;   ///< signed, steps of 40 µV / shunt
};

struct SensorSetting {
  std::uint64_t seed = 1;
  bool noise = true;
  int samples = 1;  ///< conversions averaged by the chip
};

/// One channel of an INA3221 in continuous mode: the chip walks through its channels, 1.1 ms shunt and 1.1 ms bus each,
/// so a value is the mean of 1.1 ms out of every 6.6 ms and stays until the next conversion. Noise is uniform over a
/// whole number of half steps on either side, which makes rounding unbiased: long means are right although one step is
/// 0.4 W. Without noise the nearest step is shown. The same conversion always reads the same.
class PowerSensor {
 public:
  PowerSensor(const RailChannel& channel, int index, int shunt_milliohm, SensorSetting setting);

  [[nodiscard]] RailReading read(const PowerHistory& history, Instant start, Instant now) const;
  [[nodiscard]] double current_step_ma() const { return step_ma_; }
  void average(int samples) { setting_.samples = samples; }

 private:
  [[nodiscard]] double noise(std::uint64_t number, std::uint64_t quantity) const;

  RailChannel channel_;
  int index_;
  double step_ma_;
  SensorSetting setting_;
};

/// One pass over three channels.
inline constexpr Duration sensor_cycle = std::chrono::microseconds(6600);

}  // namespace sweetspot
