// SPDX-License-Identifier: Apache-2.0
#include "analysis/rail_sensor.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double readings_per_second = 10;
constexpr double noise_in_steps = 0.25;
constexpr double watts_of_other_rails = 2;

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

double step_of(std::string_view platform) {
  if (starts_with(platform, "agx-orin") || starts_with(platform, "agx-thor")) return 0.4;
  if (starts_with(platform, "agx-xavier")) return 0.15;
  return 0.04;
}

/// Mean of a power with normal noise, counted in whole steps: the Fourier series of the saw tooth, whose terms the
/// noise damps.
double counted(double watts, double step) {
  double error = 0;
  for (int k = 1; k <= 3; ++k) {
    const double damping = std::exp(-2 * pi * pi * k * k * noise_in_steps * noise_in_steps);
    error += (k % 2 == 0 ? 1 : -1) * step / (pi * k) * std::sin(2 * pi * k * watts / step) * damping;
  }
  return watts + error;
}

}  // namespace

RailSensor::RailSensor(std::string_view platform, std::string_view scope)
    : step_(step_of(platform)), rails_(1 + static_cast<int>(std::count(scope.begin(), scope.end(), '+'))) {}

double RailSensor::mean_of(double watts) const {
  const double other = std::min(watts_of_other_rails, watts / (2 * rails_));
  const int others = rails_ - 1;
  return counted(watts - others * other, step_) + others * counted(other, step_);
}

double RailSensor::deviation(double seconds) const {
  // A reading has the noise and, spread evenly over a step, the rounding.
  const double variance = rails_ * step_ * step_ * (noise_in_steps * noise_in_steps + 1.0 / 12);
  const double readings = std::max(1.0, readings_per_second * seconds);
  return seconds * std::sqrt(variance / readings);
}

}  // namespace sweetspot
