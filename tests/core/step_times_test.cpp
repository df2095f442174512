// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/step_times.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

/// 300 MHz to 1300 MHz in eleven steps.
CurvePrior prior() {
  std::vector<Hertz> hertz;
  for (int i = 0; i < 11; ++i) hertz.push_back(megahertz(300 + 100 * i));
  return CurvePrior::on(FrequencyTable::from(hertz).value(), megahertz(600), false);
}

constexpr double many_steps = 10'000;

TEST(StepTimes, KnowsNoLimitWithoutAnAim) {
  EXPECT_FALSE(StepTimes(prior(), {}).limited());
}

TEST(StepTimes, KeepsTheTopClockWhateverTheSlowdown) {
  StepTimes times(prior(), {.max_slowdown = 1});
  for (const std::size_t arm : {3U, 8U, 10U}) {
    times.observe(arm, 1.0, many_steps);
    EXPECT_TRUE(times.keeps(10));
  }
}

TEST(StepTimes, RefusesAClockThatWasMeasuredTooSlow) {
  StepTimes times(prior(), {.max_slowdown = 1.2});
  times.observe(10, 1.00, many_steps);
  times.observe(6, 1.25, many_steps);
  times.observe(8, 1.15, many_steps);
  EXPECT_FALSE(times.keeps(6));
  EXPECT_FALSE(times.keeps(3));
  EXPECT_TRUE(times.keeps(8));
  EXPECT_TRUE(times.keeps(9));
}

TEST(StepTimes, IsNotSureOfALowClockBeforeTheTopOneWasMeasured) {
  StepTimes times(prior(), {.max_slowdown = 1.2});
  times.observe(3, 1.0, many_steps);
  EXPECT_FALSE(times.keeps(3));
}

TEST(StepTimes, MakesTheRestOfTheJobFasterWhenItIsLate) {
  StepTimes times(prior(), {.finish_by = Instant{seconds(1000)}});
  times.observe(3, 1.6, many_steps);
  times.observe(10, 1.0, many_steps);
  times.plan(Instant{}, 500);
  EXPECT_TRUE(times.keeps(3));
  EXPECT_FALSE(times.shortfall());
  times.plan(Instant{seconds(300)}, 500);  // 1.4 s for each
  EXPECT_FALSE(times.keeps(3));
  EXPECT_TRUE(times.keeps(10));
  EXPECT_FALSE(times.shortfall());
}

TEST(StepTimes, SaysTheBestThereIsWhenNoClockIsInTime) {
  StepTimes times(prior(), {.finish_by = Instant{seconds(1000)}});
  times.observe(3, 1.6, many_steps);
  times.observe(10, 1.0, many_steps);
  times.plan(Instant{seconds(600)}, 500);
  EXPECT_FALSE(times.keeps(10));
  EXPECT_EQ(times.fastest(), 10U);
  ASSERT_TRUE(times.shortfall());
  EXPECT_NE(times.shortfall()->find("the 400 s that are left: the best is 500 s, at 1300 MHz"), std::string::npos)
      << *times.shortfall();
}

TEST(StepTimes, SaysThatADeadlineNeedsTheTotalOfSteps) {
  StepTimes times(prior(), {.finish_by = Instant{seconds(1000)}});
  times.observe(3, 1.6, many_steps);
  times.plan(Instant{}, std::nullopt);
  EXPECT_TRUE(times.keeps(0));
  ASSERT_TRUE(times.shortfall());
  EXPECT_NE(times.shortfall()->find("total_steps"), std::string::npos);
}

}  // namespace
}  // namespace sweetspot
