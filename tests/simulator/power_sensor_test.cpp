// SPDX-License-Identifier: Apache-2.0
#include "simulator/power_sensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "simulator/moments.hpp"

namespace sweetspot {
namespace {

using tests::start;

PowerHistory steady(double watts) {
  PowerHistory history;
  history.record({start, {}, {.gpu = watts}});
  return history;
}

RailChannel gpu_rail(double noise_steps) {
  return {.label = "VDD_GPU_SOC", .volts = 19.904, .noise_steps = noise_steps, .parts = {.gpu = 1}};
}

// Mean of V × I over readings 100 ms apart, W.
double mean_watts(const PowerSensor& sensor, const PowerHistory& history, int readings) {
  double sum = 0;
  for (int i = 1; i <= readings; ++i) {
    const RailReading r = sensor.read(history, start, start + std::chrono::milliseconds(100) * i);
    sum += r.millivolts * r.milliamps / 1e6;
  }
  return sum / readings;
}

TEST(PowerSensor, CurrentComesInStepsOfTheShuntsResolution) {
  const PowerSensor sensor(gpu_rail(0.5), 0, 2, {});
  const auto history = steady(15.3);
  for (int i = 1; i < 200; ++i) {
    const RailReading r = sensor.read(history, start, start + std::chrono::milliseconds(10) * i);
    EXPECT_DOUBLE_EQ(std::remainder(r.milliamps, 20), 0);
    EXPECT_DOUBLE_EQ(std::remainder(r.millivolts, 8), 0);
  }
}

TEST(PowerSensor, LongMeansAreRightAlthoughOneStepIsFourTenthsOfAWatt) {
  for (const double watts : {2.4, 8.93, 15.29, 15.45, 39.7}) {
    for (const double noise : {0.5, 1.0}) {
      const PowerSensor sensor(gpu_rail(noise), 0, 2, {.seed = 3});
      EXPECT_NEAR(mean_watts(sensor, steady(watts), 20000), watts, 0.01) << watts << " W, noise " << noise;
    }
  }
}

TEST(PowerSensor, WithoutNoiseShowsTheNearestStep) {
  const PowerSensor sensor(gpu_rail(0.5), 0, 2, {.noise = false});
  const RailReading r = sensor.read(steady(15.3), start, start + std::chrono::seconds(1));
  EXPECT_DOUBLE_EQ(r.milliamps, 760);  // 768.7 mA
  EXPECT_DOUBLE_EQ(r.millivolts, 19904);
}

TEST(PowerSensor, AGatedRailSometimesReadsOneStepBelowZero) {
  const PowerSensor sensor(gpu_rail(1), 0, 2, {});
  std::set<double> seen;
  for (int i = 1; i < 500; ++i) {
    seen.insert(sensor.read(steady(0), start, start + std::chrono::milliseconds(10) * i).milliamps);
  }
  EXPECT_EQ(seen, (std::set<double>{-20, 0, 20}));
}

TEST(PowerSensor, AValueStaysUntilTheNextConversion) {
  const PowerSensor sensor(gpu_rail(1), 0, 2, {});
  const auto history = steady(15.3);
  const Instant fresh = start + std::chrono::microseconds(1100) + sensor_cycle * 10;
  const RailReading first = sensor.read(history, start, fresh);
  const RailReading last = sensor.read(history, start, fresh + sensor_cycle - Duration(1));
  EXPECT_EQ(first.milliamps, last.milliamps);
  EXPECT_EQ(first.millivolts, last.millivolts);
}

TEST(PowerSensor, AChangeOfPowerIsSeenWithinTwoCycles) {
  PowerHistory history = steady(10);
  const Instant change = start + std::chrono::seconds(1);
  history.record({change, PartPower{.gpu = 10}, {.gpu = 30}});
  const PowerSensor sensor(gpu_rail(0.5), 0, 2, {.noise = false});
  EXPECT_DOUBLE_EQ(sensor.read(history, start, change).milliamps, 500);
  EXPECT_DOUBLE_EQ(sensor.read(history, start, change + 2 * sensor_cycle).milliamps, 1500);
}

TEST(PowerSensor, AConversionThatSpansAChangeReadsInBetween) {
  PowerHistory history = steady(10);
  const Instant end = start + std::chrono::microseconds(1100) + sensor_cycle * 100;
  const Instant change = end - std::chrono::microseconds(550);
  history.record({change, PartPower{.gpu = 10 * in_seconds(change - start)}, {.gpu = 30}});
  const PowerSensor sensor(gpu_rail(0.5), 0, 2, {.noise = false});
  EXPECT_NEAR(sensor.read(history, start, end).milliamps, 1000, 20);
}

TEST(PowerSensor, AveragingInTheChipMakesTheReadingQuieter) {
  const auto spread = [](int samples) {
    const PowerSensor sensor(gpu_rail(4), 0, 2, {.samples = samples});
    std::set<double> seen;
    for (int i = 1; i < 300; ++i) {
      seen.insert(sensor.read(steady(15), start, start + std::chrono::seconds(i)).milliamps);
    }
    return seen.size();
  };
  EXPECT_LT(spread(64), spread(1));
}

}  // namespace
}  // namespace sweetspot
