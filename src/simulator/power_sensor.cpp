// SPDX-License-Identifier: Apache-2.0
#include "simulator/power_sensor.hpp"

#include <cmath>

namespace sweetspot {

namespace {

constexpr Duration conversion = std::chrono::microseconds(1100);
constexpr double bus_step_mv = 8;
constexpr double shunt_step_uv = 40;

// splitmix64: noise of a conversion is a function of its number, so that reading twice gives the same.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

double to_step(double value, double step) {
  return std::round(value / step) * step;
}

}  // namespace

PowerSensor::PowerSensor(const RailChannel& channel, int index, int shunt_milliohm, SensorSetting setting)
    : channel_(channel), index_(index), step_ma_(shunt_step_uv / shunt_milliohm), setting_(setting) {}

// Uniform in [-1, 1).
double PowerSensor::noise(std::uint64_t number, std::uint64_t quantity) const {
  if (!setting_.noise) return 0;
  const std::uint64_t bits =
      mixed(mixed(setting_.seed + quantity * 7919U + static_cast<std::uint64_t>(index_)) ^ number);
  return std::ldexp(static_cast<double>(bits >> 11U), -52) - 1;
}

RailReading PowerSensor::read(const PowerHistory& history, Instant start, Instant now) const {
  if (channel_.volts <= 0) return {};
  const Duration phase = conversion * (2 * index_ + 1);
  const Duration period = sensor_cycle * setting_.samples;
  const Duration since = now - start - phase;
  const std::int64_t number = since.count() < 0 ? -1 : since / period;
  const Instant end = start + phase + period * number;
  const Instant begin = setting_.samples == 1 ? end - conversion : end - period;
  const double watts = channel_.parts.watts(history.mean(begin, end));
  const auto id = static_cast<std::uint64_t>(number + 1);
  const double amplitude = channel_.noise_steps * step_ma_ / std::sqrt(setting_.samples);
  const double amps_ma = watts / channel_.volts * 1000 + noise(id, 1) * amplitude;
  const double volts_mv = channel_.volts * 1000 + noise(id, 2) * bus_step_mv / 2;
  return {.millivolts = to_step(volts_mv, bus_step_mv), .milliamps = to_step(amps_ma, step_ma_)};
}

}  // namespace sweetspot
