// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/drift_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sweetspot/core/step_noise.hpp"

namespace sweetspot {
namespace {

TEST(DriftWatch, StaysQuietWhileMeasurementsScatterAsExpected) {
  DriftWatch watch;
  std::mt19937 random(1);
  std::normal_distribution<double> scatter;
  int alarms = 0;
  for (int i = 0; i < 10'000; ++i) alarms += watch.add(scatter(random)) ? 1 : 0;
  EXPECT_LE(alarms, 1);
}

TEST(DriftWatch, NoticesAShiftEitherWayWithinTenWindows) {
  for (const double shift : {2.5, -2.5}) {
    DriftWatch watch;
    int windows = 1;
    while (!watch.add(shift) && windows < 100) ++windows;
    EXPECT_LE(windows, 10);
  }
}

TEST(DriftWatch, IsNotAlarmedByOneWildReading) {
  DriftWatch watch;
  EXPECT_FALSE(watch.add(1000));
}

TEST(StepNoise, LearnsTheScatterOfItsHalves) {
  StepNoise noise;
  std::mt19937 random(1);
  std::normal_distribution<double> scatter(1, 0.03 / std::sqrt(0.5));  // halves of five steps: 3 % over ten
  for (int i = 0; i < 2000; ++i) noise.compare(scatter(random), 5, scatter(random), 5);
  EXPECT_NEAR(std::sqrt(noise.variance(10)), 0.03, 0.002);
}

TEST(StepNoise, IsNotMisledByAJobThatChangesInAWindow) {
  StepNoise noise;
  const double before = noise.variance(10);
  noise.compare(80, 5, 240, 5);
  EXPECT_LT(noise.variance(10), 5 * before);
}

TEST(StepNoise, LeavesOutHalvesThatMeasuredNothing) {
  StepNoise noise;
  const double before = noise.variance(10);
  noise.compare(0, 5, 80, 5);
  noise.compare(80, 5, -1, 5);
  noise.compare(80, 0, 80, 5);
  EXPECT_EQ(noise.variance(10), before);
}

}  // namespace
}  // namespace sweetspot
