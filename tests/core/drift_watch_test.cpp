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

TEST(StepNoise, LearnsTheScatterOfTheParts) {
  StepNoise noise;
  std::mt19937 random(1);
  std::normal_distribution<double> scatter(1, 0.03 / std::sqrt(0.1));  // single steps: 3 % over ten
  for (int i = 0; i < 2000; ++i) {
    noise.open_window();
    for (int part = 0; part < 5; ++part) noise.add(scatter(random), 1);
  }
  EXPECT_NEAR(std::sqrt(noise.variance(10)), 0.03, 0.003);
}

TEST(StepNoise, DoesNotCountWhatTwoWindowsDifferBy) {
  StepNoise noise;
  for (int i = 0; i < 100; ++i) {
    noise.open_window();
    noise.add(80, 5);
    noise.open_window();
    noise.add(160, 5);
  }
  EXPECT_EQ(noise.variance(10), StepNoise().variance(10));
}

TEST(StepNoise, IsNotMisledByAJobThatChangesInAWindow) {
  StepNoise noise;
  const double before = noise.variance(10);
  noise.add(80, 5);
  noise.add(240, 5);
  EXPECT_LT(noise.variance(10), 6 * before);
}

TEST(StepNoise, LeavesOutPartsThatMeasuredNothing) {
  StepNoise noise;
  const double before = noise.variance(10);
  noise.add(0, 5);
  noise.add(80, 5);
  noise.add(-1, 5);
  noise.add(80, 0);
  EXPECT_EQ(noise.variance(10), before);
}

}  // namespace
}  // namespace sweetspot
