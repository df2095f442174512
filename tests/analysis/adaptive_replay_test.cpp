// SPDX-License-Identifier: Apache-2.0
#include "analysis/adaptive_replay.hpp"

#include <gtest/gtest.h>

#include "analysis/samples.hpp"
#include "sweetspot/analysis/evaluation.hpp"

namespace sweetspot {
namespace {

/// Its optimum is far from where the policies would start.
Curve steep() {
  return tests::timed_curve("steep",
                            {{306, 200}, {408, 170}, {510, 150}, {612, 135}, {714, 120}, {816, 110}, {1020, 100}});
}

EvaluatedCurve adaptive_row(std::int64_t steps, double noise, std::uint32_t seeds) {
  EvaluationSettings settings{
      .contenders = {{.name = "adaptive", .choice = Contender::Choice::adaptive, .policy = Policy::mlg}},
      .steps = steps,
      .noise = noise,
      .seeds = seeds};
  return evaluate(std::vector{steep()}, settings).curves.at(0);
}

TEST(AdaptiveReplay, ChargesTheStepsBeforeTheClockWasFound) {
  const EvaluatedCurve row = adaptive_row(2000, 0.01, 20);
  EXPECT_EQ(row.frequency, megahertz(1020));
  ASSERT_TRUE(row.regret);
  EXPECT_GT(*row.regret, 10 * 0.35 / 2000);  // one window at 612 MHz at the least
  EXPECT_LT(*row.regret, 0.02);
}

TEST(AdaptiveReplay, GivesTheSameAnswerForTheSameSeeds) {
  EXPECT_EQ(adaptive_row(500, 0.03, 10).regrets, adaptive_row(500, 0.03, 10).regrets);
}

TEST(AdaptiveReplay, HasARegretForEverySeed) {
  EXPECT_EQ(adaptive_row(500, 0.03, 25).regrets.size(), 25U);
}

TEST(AdaptiveReplay, LeavesAJobOfTwentyStepsAtItsFirstClock) {
  const EvaluatedCurve row = adaptive_row(20, 0.03, 20);
  EXPECT_EQ(row.frequency, megahertz(612));
  EXPECT_NEAR(*row.regret, 0.35, 1e-9);
  EXPECT_EQ(row.probe_share, 0);
}

TEST(AdaptiveReplay, EndsUnpinnedWhereTheDefaultGovernorCostsLeast) {
  Curve curve = steep();
  curve.default_governor.emplace().energy_j.add(60);
  const AdaptiveReplay replay =
      replay_adaptive(curve, {.start = megahertz(612), .steps = 3000, .noise = 0.01, .seeds = 5});
  EXPECT_EQ(replay.clock, std::nullopt) << replay.reason;
}

}  // namespace
}  // namespace sweetspot
