// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/meter_samples.hpp"

namespace sweetspot {
namespace {

using namespace meter_samples;

/// One random history of a meter with two rails: samples, broken values, pauses.
struct Step {
  double s;
  std::vector<double> watts;
  bool pause_before;
};
std::vector<Step> random_history(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Step> steps;
  double s = unit(random);
  const int count = 2 + static_cast<int>(unit(random) * 40);
  for (int i = 0; i < count; ++i) {
    const auto watts = [&] { return unit(random) < 0.2 ? missing : unit(random) * 60 - 1; };
    steps.push_back({s, {watts(), watts()}, unit(random) < 0.05});
    s += unit(random) < 0.15 ? 0.3 + unit(random) * 2 : 0.01 + unit(random) * 0.2;
  }
  return steps;
}
void play(EnergyMeter& meter, const Step& step) {
  if (step.pause_before) meter.pause();
  meter.add(sample(step.s, step.watts));
}

/// Whether the time between samples i-1 and i was measured on a rail.
bool measured_before(const std::vector<Step>& steps, std::size_t i, std::size_t rail) {
  return !steps[i].pause_before && steps[i - 1].watts[rail] != missing && steps[i].watts[rail] != missing &&
         at(steps[i].s) - at(steps[i - 1].s) <= longest_step;
}

/// The longest stretch in [since, last sample] with neither a value nor a measured step, found by asking of every pair
/// of neighbouring values, from every beginning anew.
Duration naive_longest_gap(const std::vector<Step>& steps, double since, std::size_t rail) {
  Duration longest{0};
  Instant value_before{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].watts[rail] == missing) continue;
    if (i == 0 || !measured_before(steps, i, rail))
      longest = std::max(longest, at(steps[i].s) - std::max(value_before, at(since)));
    value_before = at(steps[i].s);
  }
  return std::max(longest, at(steps.back().s) - std::max(value_before, at(since)));
}

TEST(EnergyMeterProperty, LongestGapIsWhatANaiveWalkOverAllSamplesFinds) {
  std::mt19937 random(11);
  for (int round = 0; round < 1500; ++round) {
    const std::vector<Step> steps = random_history(random);
    EnergyMeter meter(2, longest_step);
    for (const Step& step : steps) play(meter, step);
    for (const Step& since : steps) {
      for (const std::size_t rail : {0u, 1u})
        ASSERT_EQ(gap_since(meter, since.s, {rail}), naive_longest_gap(steps, since.s, rail))
            << "round " << round << ", since " << since.s << ", rail " << rail;
      ASSERT_EQ(gap_since(meter, since.s, {0, 1}),
                std::max(naive_longest_gap(steps, since.s, 0), naive_longest_gap(steps, since.s, 1)));
    }
  }
}

TEST(EnergyMeterProperty, EnergyAndCoverageAreThoseOfTheMeasuredStepsAndAdditiveOverAnySplit) {
  std::mt19937 random(12);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Step> steps = random_history(random);
    EnergyMeter meter(2, longest_step);
    std::vector<MeterReading> readings;
    for (const Step& step : steps) {
      play(meter, step);
      readings.push_back(meter.reading());
    }
    for (const std::size_t rail : {0u, 1u}) {
      std::vector<double> energy{0};
      std::vector<Duration> covered{Duration{0}};
      for (std::size_t i = 1; i < steps.size(); ++i) {
        const bool measured = measured_before(steps, i, rail);
        const double watts = (steps[i].watts[rail] + steps[i - 1].watts[rail]) / 2;
        energy.push_back(energy.back() + (measured ? watts * (steps[i].s - steps[i - 1].s) : 0));
        covered.push_back(covered.back() + (measured ? at(steps[i].s) - at(steps[i - 1].s) : Duration{0}));
      }
      for (std::size_t a = 0; a < readings.size(); a += 3) {
        for (std::size_t b = a; b < readings.size(); b += 2) {
          ASSERT_NEAR(readings[b].rails[rail].integral - readings[a].rails[rail].integral, energy[b] - energy[a], 1e-6);
          ASSERT_EQ(readings[b].rails[rail].covered - readings[a].rails[rail].covered, covered[b] - covered[a]);
        }
      }
    }
  }
}

TEST(EnergyMeterProperty, CoverageNeverFallsNorExceedsTheTimePassed) {
  std::mt19937 random(13);
  for (int round = 0; round < 200; ++round) {
    EnergyMeter meter(2, longest_step);
    MeterReading before = meter.reading();
    for (const Step& step : random_history(random)) {
      play(meter, step);
      const MeterReading now = meter.reading();
      for (const std::size_t rail : {0u, 1u}) {
        const Duration gained = now.rails[rail].covered - before.rails[rail].covered;
        ASSERT_GE(gained, Duration{0});
        ASSERT_LE(gained, now.at - before.at);
      }
      before = now;
    }
  }
}

}  // namespace
}  // namespace sweetspot
