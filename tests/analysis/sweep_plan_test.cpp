// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/sweep_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace sweetspot {
namespace {

using ::testing::UnorderedElementsAreArray;

const std::vector<Hertz> three{megahertz(306), megahertz(612), megahertz(1300.5)};

std::vector<SweepPoint> round_of(const std::vector<SweepPoint>& plan, std::size_t round, std::size_t size) {
  const auto begin = plan.begin() + static_cast<std::ptrdiff_t>(round * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

TEST(SweepPlan, MakesEveryRepeatARoundOfAllClocksAndTheBaseline) {
  const auto plan = sweep_plan({.clocks = three, .baseline = true, .repeats = 3});
  ASSERT_EQ(plan.size(), 12U);
  for (std::size_t round = 0; round < 3; ++round) {
    EXPECT_THAT(round_of(plan, round, 4),
                UnorderedElementsAreArray(std::vector<SweepPoint>{{megahertz(306), round + 1},
                                                                  {megahertz(612), round + 1},
                                                                  {megahertz(1300.5), round + 1},
                                                                  {std::nullopt, round + 1}}));
  }
}

TEST(SweepPlan, LeavesTheBaselineOutUnlessAskedFor) {
  const auto plan = sweep_plan({.clocks = three});
  EXPECT_EQ(plan.size(), 3U);
  EXPECT_TRUE(std::all_of(plan.begin(), plan.end(), [](const SweepPoint& point) { return point.clock.has_value(); }));
}

TEST(SweepPlan, IsTheSameForTheSameSeedAndAnotherForOthers) {
  std::vector<Hertz> clocks;
  for (int i = 1; i <= 11; ++i) clocks.push_back(megahertz(100.0 * i));
  const auto plan_of = [&clocks](std::uint64_t seed) {
    return sweep_plan({.clocks = clocks, .baseline = true, .repeats = 2, .seed = seed});
  };
  EXPECT_EQ(plan_of(7), plan_of(7));
  EXPECT_NE(plan_of(7), plan_of(8));
}

TEST(SweepPlan, ShufflesEachRoundAnew) {
  std::vector<Hertz> clocks;
  for (int i = 1; i <= 11; ++i) clocks.push_back(megahertz(100.0 * i));
  const auto plan = sweep_plan({.clocks = clocks, .repeats = 2});
  const auto clock_list = [&](std::size_t round) {
    std::vector<Hertz> list;
    for (const SweepPoint& point : round_of(plan, round, 11)) list.push_back(*point.clock);
    return list;
  };
  EXPECT_NE(clock_list(0), clocks);
  EXPECT_NE(clock_list(0), clock_list(1));
}

TEST(SweepPlan, PutsEveryClockEverywhereInARoundOverManySeeds) {
  // The place of the first clock; each of three places should come up about 1,000 times of 3,000.
  std::vector<int> times(3, 0);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto plan = sweep_plan({.clocks = three, .seed = seed});
    const auto found = std::find(plan.begin(), plan.end(), SweepPoint{megahertz(306), 1});
    ++times[static_cast<std::size_t>(found - plan.begin())];
  }
  for (const int count : times) EXPECT_NEAR(count, 1000, 150);
}

TEST(SweepTime, IsUnknownBeforeAnythingWasRun) {
  const auto plan = sweep_plan({.clocks = three});
  EXPECT_EQ(expected_seconds(plan, {}, {.pause_s = 2, .top = megahertz(1300.5)}), std::nullopt);
}

TEST(SweepTime, IsZeroWhenNothingIsLeft) {
  EXPECT_EQ(expected_seconds({}, {}, {.pause_s = 2, .top = megahertz(1300.5)}), 0.0);
}

TEST(SweepTime, TakesWhatSomebodySaysOfTheTopClockForAllOfARunToScale) {
  const std::vector<SweepPoint> left{{megahertz(650.25), 1}, {std::nullopt, 1}};
  const SweepPace pace{.pause_s = 2, .top_time_s = 10.0, .top = megahertz(1300.5)};
  EXPECT_NEAR(expected_seconds(left, {}, pace).value_or(0), 20 + 10 + 2 * 2, 1e-9);
}

TEST(SweepTime, TakesWhatRunsAtTheSameClockTook) {
  const std::vector<SweepPoint> left{{megahertz(612), 3}};
  const std::vector<TimedRun> done{{{megahertz(612), 1}, 20}, {{megahertz(612), 2}, 22}, {{megahertz(306), 1}, 99}};
  EXPECT_NEAR(expected_seconds(left, done, {.pause_s = 1, .top = megahertz(1300.5)}).value_or(0), 22, 1e-9);
}

TEST(SweepTime, FitsAPartThatTheClockDoesNotSpeedUpAndOneThatItDoes) {
  // 5 s + 6000 MHz s / f.
  const std::vector<TimedRun> done{{{megahertz(300), 1}, 25}, {{megahertz(1200), 1}, 10}};
  const std::vector<SweepPoint> left{{megahertz(600), 1}};
  EXPECT_NEAR(expected_seconds(left, done, {.top = megahertz(1200)}).value_or(0), 15, 1e-9);
}

TEST(SweepTime, NeverExpectsARunToTakeLongerAtAHigherClock) {
  const std::vector<TimedRun> done{{{megahertz(300), 1}, 10}, {{megahertz(1200), 1}, 11}};
  const std::vector<SweepPoint> left{{megahertz(600), 1}};
  EXPECT_NEAR(expected_seconds(left, done, {.top = megahertz(1200)}).value_or(0), 10.5, 1e-9);
}

TEST(SweepTime, TakesTheBaselineForARunAtTheHighestClock) {
  const std::vector<TimedRun> done{{{std::nullopt, 1}, 10}};
  const std::vector<SweepPoint> left{{megahertz(600), 1}};
  EXPECT_NEAR(expected_seconds(left, done, {.top = megahertz(1200)}).value_or(0), 20, 1e-9);
}

}  // namespace
}  // namespace sweetspot
