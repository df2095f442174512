// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/adaptive_policy.hpp"

#include <gtest/gtest.h>

#include "played_job.hpp"

namespace sweetspot {
namespace {

using tests::grid;
using tests::PlayedJob;

double u_shape(double mhz) {
  return mhz == 0 ? 150 : 20 + 30'000 / mhz + 50e-6 * mhz * mhz;  // least at 669 MHz
}
double rising(double mhz) {
  return mhz == 0 ? 160 : 60 + 80e-6 * mhz * mhz;
}
double falling(double mhz) {
  return mhz == 0 ? 70 : 20 + 60'000 / mhz;
}

double cost_at_goal(const AdaptivePolicy& policy, double (*curve)(double)) {
  return curve(policy.goal() ? in_megahertz(*policy.goal()) : 0);
}

TEST(AdaptivePolicy, StartsAtTheClockItIsGiven) {
  const AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(800), false), 500);
  EXPECT_EQ(policy.goal(), megahertz(800));
  EXPECT_EQ(policy.reason(),
            "starts at 800 MHz, nothing measured yet: it goes by joules per step, so the job has to report its steps");
}

TEST(AdaptivePolicy, NeverLeavesItsStartInAJobOfTwentySteps) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(300), true), 20);
    PlayedJob job(policy, falling, seed);
    job.play(20);
    EXPECT_EQ(policy.goal(), megahertz(300));
  }
}

TEST(AdaptivePolicy, FindsTheOptimumOnGridsOfThirteenToSixtyClocks) {
  for (const int clocks : {13, 30, 60}) {
    AdaptivePolicy policy(CurvePrior::on(grid(clocks), megahertz(900), true), 1000);
    PlayedJob job(policy, u_shape, 1);
    job.play(1000);
    EXPECT_LT(cost_at_goal(policy, u_shape) / u_shape(669), 1.01) << clocks << ": " << policy.reason();
  }
}

TEST(AdaptivePolicy, FindsAnOptimumAtTheTopClock) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(600), false), 1000);
  PlayedJob job(policy, falling, 1);
  job.play(1000);
  EXPECT_EQ(policy.goal(), megahertz(1300)) << policy.reason();
}

TEST(AdaptivePolicy, LetsGoWhenTheDefaultGovernorCostsLessThanAnyClock) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(600), true), 2000);
  PlayedJob job(
      policy, [](double mhz) { return mhz == 0 ? 50 : falling(mhz); }, 1);
  job.play(2000);
  EXPECT_EQ(policy.goal(), std::nullopt) << policy.reason();
}

TEST(AdaptivePolicy, CostsAtMostOnePerCentMoreThanItsStartInNineteenOfTwentyJobs) {
  for (const std::int64_t steps : {100, 500}) {
    int worse = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
      AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(700), true), steps);  // the best one there is
      PlayedJob job(policy, u_shape, seed);
      job.play(steps);
      worse += job.spent() > 1.01 * static_cast<double>(steps) * u_shape(700) ? 1 : 0;
    }
    EXPECT_LE(worse, 5) << steps;
  }
}

TEST(AdaptivePolicy, LooksAnewWhenTheJobBecomesAnotherOne) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(600), false), 8000);
  PlayedJob job(policy, falling, 1);
  job.play(2000);
  ASSERT_EQ(policy.goal(), megahertz(1300));
  job.becomes(rising);
  job.play(6000);
  EXPECT_GE(policy.drifts(), 1);
  EXPECT_LT(cost_at_goal(policy, rising) / rising(300), 1.02) << policy.reason();
}

TEST(AdaptivePolicy, WorksWithoutKnowingHowLongTheJobIs) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(1100), false), std::nullopt);
  PlayedJob job(policy, u_shape, 1);
  job.play(2000);
  EXPECT_LT(job.spent() / (2000 * u_shape(669)), 1.02) << policy.reason();  // looking again and again is charged
}

TEST(AdaptivePolicy, StaysWhereItIsWhenAJobRunsOnBeyondItsSteps) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(600), true), 1000);
  PlayedJob job(policy, u_shape, 1);
  job.play(1000);
  const auto found = policy.goal();
  for (int i = 0; i < 20; ++i) {
    job.play(50);
    EXPECT_EQ(policy.goal(), found);
  }
}

TEST(AdaptivePolicy, LeavesOutReadingsThatGoBackwards) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(600), false), 500);
  policy.observe({.at = Instant{seconds(10)}, .steps = 10, .energy = {800}});
  EXPECT_FALSE(policy.observe({.at = Instant{seconds(5)}, .steps = 20, .energy = {1600}}));
  EXPECT_FALSE(policy.observe({.at = Instant{seconds(20)}, .steps = 10, .energy = {1600}}));
  EXPECT_EQ(policy.uses()[3].steps, 0);
}

TEST(AdaptivePolicy, DoesNotCountAWindowThatWasInterrupted) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(600), false), 500);
  policy.observe({.at = Instant{}, .steps = 0, .energy = {}});
  policy.interrupt();
  policy.observe({.at = Instant{seconds(10)}, .steps = 10, .energy = {800}});
  EXPECT_EQ(policy.uses()[3].measured_steps, 0);
  EXPECT_EQ(policy.uses()[3].steps, 10);
}

TEST(AdaptivePolicy, SaysWhatItMeasuredAndWhatItExpects) {
  AdaptivePolicy policy(CurvePrior::on(grid(11), megahertz(1100), false), 1000);
  PlayedJob job(policy, u_shape, 1);
  job.play(1000);
  const std::string reason = policy.reason();
  EXPECT_NE(reason.find("measured: "), std::string::npos) << reason;
  EXPECT_NE(reason.find("1100 MHz 10"), std::string::npos) << reason;  // 107.8 J/step
  EXPECT_NE(reason.find("less than 1100 MHz, where it started"), std::string::npos) << reason;
}

}  // namespace
}  // namespace sweetspot
