// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/physics.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

constexpr double orin_top = 1300.5;

TEST(Physics, AStepWithoutFloorTakesTimeInverseToTheClock) {
  EXPECT_DOUBLE_EQ(step_seconds({.work_mhz_s = 612, .floor_s = 0}, 612), 1);
  EXPECT_DOUBLE_EQ(step_seconds({.work_mhz_s = 612, .floor_s = 0}, 306), 2);
}

TEST(Physics, ALaunchBoundStepHardlyNoticesTheClock) {
  const StepShape tiny{.work_mhz_s = 100, .floor_s = 1};
  EXPECT_LT(step_seconds(tiny, 306) / step_seconds(tiny, orin_top), 1.02);
}

TEST(Physics, TheBusyShareFallsAsTheClockRises) {
  const StepShape shape{.work_mhz_s = 600, .floor_s = 1};
  EXPECT_GT(busy_share(shape, 306), busy_share(shape, 612));
  EXPECT_GT(busy_share(shape, 612), busy_share(shape, orin_top));
}

TEST(Physics, VoltageIsFlatAtTheBottomAndDoublesItsSquareAtTheTop) {
  EXPECT_DOUBLE_EQ(relative_v2(306, orin_top), 1);
  EXPECT_DOUBLE_EQ(relative_v2(408, orin_top), 1);
  EXPECT_DOUBLE_EQ(relative_v2(612, orin_top), 1.085);
  EXPECT_DOUBLE_EQ(relative_v2(orin_top, orin_top), 1.99);
}

TEST(Physics, VoltageBetweenTwoKnownClocksLiesBetweenTheirs) {
  EXPECT_NEAR(relative_v2(663, orin_top), (1.085 + 1.18) / 2, 1e-9);
}

TEST(Physics, ASmallerBoardsCurveIsStretchedToItsOwnTop) {
  EXPECT_DOUBLE_EQ(relative_v2(918, 918), 1.99);
}

TEST(Physics, FullLoadOnAgxOrinDrawsWhatItsGpuRailIsKnownToDraw) {
  const Demand full{.load = 1, .memory = 0, .cpu_w = 1.75};
  EXPECT_NEAR(working_power({}, full, 306, orin_top).gpu, 8.9, 0.05);
  EXPECT_NEAR(working_power({}, full, 612, orin_top).gpu, 13.8, 0.05);
  EXPECT_NEAR(working_power({}, full, orin_top, orin_top).gpu, 39.7, 0.05);
}

TEST(Physics, MemoryTrafficAddsPowerWhateverTheClock) {
  const Demand demand{.load = 1, .memory = 1, .cpu_w = 1.75};
  EXPECT_DOUBLE_EQ(working_power({}, demand, 306, orin_top).traffic, 12);
  EXPECT_DOUBLE_EQ(working_power({}, demand, 306, orin_top).system, 11);
}

TEST(Physics, AGatedGpuDrawsLessThanAnIdleOne) {
  EXPECT_LT(idle_power({}, false).gpu, idle_power({}, true).gpu);
  EXPECT_DOUBLE_EQ(idle_power({}, true).cpu, 0.4);
}

}  // namespace
}  // namespace sweetspot
