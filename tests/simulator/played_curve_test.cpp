// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/played_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sweetspot {
namespace {

Board orin_board() {
  return find_board("agx-orin-64-jp6").value();
}
Workload bert() {
  return find_workload("bert-base/qnli").value();
}

std::vector<double> joules_of(const PlayedRuns& how) {
  std::vector<double> joules;
  for (const PlayedRun& run : played_runs(bert(), orin_board(), how)) joules.push_back(run.joules);
  return joules;
}

TEST(PlayedCurve, HasEveryClockOfTheBoardAndTheDefaultGovernorOncePerRepeat) {
  const auto runs = played_runs(bert(), orin_board(), {.repeats = 2});
  const auto& clocks = orin_board().gpu.node.clocks;
  ASSERT_EQ(runs.size(), 2 * (clocks.size() + 1));
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    EXPECT_EQ(runs[i].clock, clocks[i]);
    EXPECT_EQ(runs[i].repeat, 1);
  }
  EXPECT_EQ(runs[clocks.size()].clock, std::nullopt);
  EXPECT_EQ(runs.back().repeat, 2);
}

TEST(PlayedCurve, GivesThePublishedJoulesWhereTheyWerePublished) {
  const auto runs = played_runs(find_workload("deberta-v2-xlarge/qnli").value(), orin_board(), {});
  ASSERT_EQ(runs.size(), 12U);
  EXPECT_NEAR(runs[3].joules, 536503.90, 0.01);
  EXPECT_NEAR(runs.back().joules, 552288.86, 0.01);
}

TEST(PlayedCurve, TakesAsLongAsItsStepsTake) {
  const Workload work = bert();
  const PlayedRun slowest = played_runs(work, orin_board(), {}).front();
  EXPECT_DOUBLE_EQ(slowest.seconds, work.total_steps * step_seconds(work.step, 306));
  EXPECT_DOUBLE_EQ(slowest.load, busy_share(work.step, 306));
}

TEST(PlayedCurve, IsTheSameForTheSameSeedAndAnotherForOthers) {
  const auto with_seed = [](std::uint64_t seed) { return joules_of({.repeats = 2, .run_noise = 0.02, .seed = seed}); };
  EXPECT_EQ(with_seed(3), with_seed(3));
  EXPECT_NE(with_seed(3), with_seed(4));
}

TEST(PlayedCurve, SpreadsRunsAsFarAsItWasAsked) {
  const double exact = joules_of({}).front();
  const auto runs = played_runs(bert(), orin_board(), {.repeats = 1000, .run_noise = 0.02, .seed = 1});
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < runs.size(); i += 12) {
    const double off = runs[i].joules / exact - 1;
    sum += off;
    squares += off * off;
  }
  EXPECT_NEAR(sum / 1000, 0, 0.003);
  EXPECT_NEAR(std::sqrt(squares / 1000), 0.02, 0.002);
}

}  // namespace
}  // namespace sweetspot
