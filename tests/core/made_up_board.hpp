// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sweetspot/core/frequency_table.hpp"

namespace sweetspot::tests {

/// A board and a job on it, after the published figures of an AGX Orin, with everything drawn at random around them: a
/// step takes (floor³ + (work / f)³)^(1/3), and draws a fixed power, one that goes with f, V² and the load, and one for
/// the memory. Not the generator that the policy's prior is made with: other ranges, absolute watts, V² by straight
/// lines. Costs are of a step, relative to none.
struct MadeUpBoard {
  enum class Kind { usual, long_voltage_floor, spikes, memory_bound };
  std::vector<double> mhz;
  std::vector<double> joules;
  std::vector<double> step_seconds;
  double joules_unpinned = 0;
  double start_mhz = 0;

  MadeUpBoard(Kind kind, unsigned seed) {
    std::mt19937 random(seed);
    const auto in = [&random](double low, double high) {
      return low + (high - low) * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
    };
    const int clocks = 13 + static_cast<int>(in(0, 47.99));
    const bool wide = kind == Kind::long_voltage_floor;
    const bool memory = kind == Kind::memory_bound;
    const double lowest = wide ? 60 : in(80, 330);
    const double highest = wide ? 1600 : in(900, 1800);
    const double floor = memory ? in(0.05, 0.25) : 0.08 * std::pow(3 / 0.08, in(0, 1));
    const double knee = wide ? in(0.55, 0.8) : in(0.2, 0.6);
    const double rise = memory ? in(0.4, 0.7) : in(0.5, 1.9);
    const double fixed = memory ? in(15, 30) : in(3, 11);
    const double dynamic = memory ? in(5, 13) : in(10, 40);
    const double traffic = memory ? 5 : in(0, 5);
    for (int i = 0; i < clocks; ++i) {
      const double f = lowest + (highest - lowest) * i / (clocks - 1);
      const double share = f / highest;
      const double time = std::cbrt(floor * floor * floor + 1 / (share * share * share));
      const double voltage2 = 1 + rise * std::max(0.0, share - knee) / (1 - knee);
      const double load = 1 / (share * time);
      const double spike = kind == Kind::spikes && in(0, 1) < 0.15 ? 1.03 + in(0, 0.12) : 1;
      mhz.push_back(f);
      step_seconds.push_back(time);
      joules.push_back(spike * (time * (fixed + dynamic * share * voltage2 / (1 + rise) * load) + traffic));
    }
    joules_unpinned = joules.back() * in(0.85, 1);
    start_mhz = highest * in(0.35, 0.65);
  }
  [[nodiscard]] FrequencyTable table() const {
    std::vector<Hertz> hertz;
    for (const double clock : mhz) hertz.push_back(megahertz(clock));
    return FrequencyTable::from(std::move(hertz)).value();
  }
  [[nodiscard]] double cost(double clock_mhz) const {
    if (clock_mhz == 0) return joules_unpinned;
    return joules[static_cast<std::size_t>(std::lower_bound(mhz.begin(), mhz.end(), clock_mhz - 0.01) - mhz.begin())];
  }
  [[nodiscard]] double least() const {
    return std::min(joules_unpinned, *std::min_element(joules.begin(), joules.end()));
  }
};

}  // namespace sweetspot::tests
