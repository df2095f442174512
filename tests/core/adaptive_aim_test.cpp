// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "played_job.hpp"
#include "sweetspot/core/adaptive_policy.hpp"

namespace sweetspot {
namespace {

using tests::grid;
using tests::PlayedJob;

/// Least at 669 MHz.
double joules(double mhz) {
  return 20 + 30'000 / mhz + 50e-6 * mhz * mhz;
}
/// 0.6 s at the top clock, 1.2 s at the best one for joules.
double step_seconds(double mhz) {
  return mhz == 0 ? 0.6 : 780 / mhz;
}

AdaptivePolicy policy_with(const JobAim& aim, std::optional<std::int64_t> total_steps, double start_mhz = 600) {
  return {CurvePrior::on(grid(11), megahertz(start_mhz), false, aim.least), total_steps, {.aim = aim}};
}

TEST(AdaptiveAim, TakesTheCheapestClockWithinTheSlowdown) {
  AdaptivePolicy policy = policy_with({.max_slowdown = 1.35}, 2000);
  PlayedJob job(policy, joules, 1, step_seconds);
  job.play(2000);
  EXPECT_EQ(policy.goal(), megahertz(1000)) << policy.reason();  // 1.30; 900 MHz would be 1.44
  EXPECT_FALSE(policy.shortfall());
}

TEST(AdaptiveAim, RunsAtTheTopClockWhenNothingMayBeSlower) {
  AdaptivePolicy policy = policy_with({.max_slowdown = 1}, 1000);
  PlayedJob job(policy, joules, 1, step_seconds);
  job.play(1000);
  EXPECT_EQ(policy.goal(), megahertz(1300)) << policy.reason();
}

TEST(AdaptiveAim, LeavesASlowdownAloneThatTheBestClockKeeps) {
  AdaptivePolicy policy = policy_with({.max_slowdown = 2.1}, 2000);
  PlayedJob job(policy, joules, 1, step_seconds);
  job.play(2000);
  EXPECT_LT(joules(job.clock()) / joules(669), 1.01) << policy.reason();
}

TEST(AdaptiveAim, FinishesInTimeAtTheLeastEnergyThatDoes) {
  for (const double limit : {1250.0, 1700.0, 2300.0}) {
    AdaptivePolicy policy = policy_with({.finish_by = Instant{seconds(limit)}}, 2000);
    PlayedJob job(policy, joules, 1, step_seconds);
    job.play(2000);
    EXPECT_LE(job.took(), 1.003 * limit) << policy.reason();
    // The clock that takes exactly as long as there is time, or the best one where there is time for it.
    const double needed = std::max(669.0, 780 * 2000 / limit);
    EXPECT_LT(job.spent() / 2000 / joules(std::min(1300.0, needed)), 1.05) << limit << ": " << policy.reason();
  }
}

TEST(AdaptiveAim, SaysAtOnceWhenNoClockIsInTimeAndRunsAtTheFastest) {
  AdaptivePolicy policy = policy_with({.finish_by = Instant{seconds(600)}}, 2000);
  PlayedJob job(policy, joules, 1, step_seconds);
  job.play(60);
  EXPECT_EQ(policy.goal(), megahertz(1300)) << policy.reason();
  ASSERT_TRUE(policy.shortfall());
  EXPECT_NE(policy.reason().find("cannot finish in the"), std::string::npos) << policy.reason();
}

TEST(AdaptiveAim, ClaimsNothingOfADeadlineBeforeItHasMeasured) {
  const AdaptivePolicy policy = policy_with({.finish_by = Instant{seconds(600)}}, 2000);
  EXPECT_FALSE(policy.shortfall()) << *policy.shortfall();
}

TEST(AdaptiveAim, SaysAtOnceThatADeadlineNeedsTheTotalOfSteps) {
  AdaptivePolicy policy = policy_with({.finish_by = Instant{seconds(600)}}, std::nullopt);
  ASSERT_TRUE(policy.shortfall());
  EXPECT_NE(policy.shortfall()->find("total_steps"), std::string::npos);
}

TEST(AdaptiveAim, FindsTheLeastProductOfEnergyAndTime) {
  AdaptivePolicy policy = policy_with({.least = Least::energy_delay}, 2000);
  PlayedJob job(policy, joules, 1, step_seconds);
  job.play(2000);
  const auto product = [](double mhz) { return joules(mhz) * step_seconds(mhz); };
  EXPECT_LT(product(job.clock()) / product(1200), 1.01) << policy.reason();  // least at 1188 MHz
  EXPECT_NE(policy.reason().find(" J\u00b7s/step"), std::string::npos) << policy.reason();
}

}  // namespace
}  // namespace sweetspot
