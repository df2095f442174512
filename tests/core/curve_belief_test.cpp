// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/curve_belief.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/played_job.hpp"

namespace sweetspot {
namespace {

using tests::grid;

constexpr double sharp = 1e-6;  // variance of a measurement that is good to 0.1 %

TEST(CurvePrior, ExpectsALowAndAHighClockToCostMoreThanOneBetween) {
  const CurvePrior prior = CurvePrior::on(grid(11), megahertz(700), false);
  const CurveBelief belief(prior);
  EXPECT_GT(belief.mean(0), belief.mean(4));
  EXPECT_GT(belief.mean(10), belief.mean(4));
}

TEST(CurvePrior, MapsTheStartToTheNearestClock) {
  EXPECT_EQ(CurvePrior::on(grid(11), megahertz(612), false).start, 3U);  // 300, 400, 500, 600
}

TEST(CurvePrior, HoldsTheArmThatIsNotPinnedLast) {
  const CurvePrior prior = CurvePrior::on(grid(11), megahertz(700), true);
  EXPECT_EQ(prior.arms.size(), 12U);
  for (const CurveFamily& family : prior.families) {
    EXPECT_EQ(family.mean.size(), 12U);
    EXPECT_EQ(family.covariance.size(), 144U);
  }
  EXPECT_EQ(prior.arms.clock(11), std::nullopt);
}

TEST(CurveBelief, TakesUpAMeasurementWhateverAStepCosts) {
  for (const double joules : {0.01, 80.0, 40'000.0}) {
    CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
    belief.observe(3, std::log(joules), sharp);
    EXPECT_NEAR(belief.mean(3), std::log(joules), 0.01);
    EXPECT_NEAR(belief.variance(3), sharp, sharp);
  }
}

TEST(CurveBelief, KnowsTheClocksBetweenTwoThatWereMeasuredBetterThanThoseBeyond) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  belief.observe(3, std::log(80.0), sharp);
  belief.observe(5, std::log(81.0), sharp);
  EXPECT_LT(belief.variance_between(4, 3), belief.variance_between(10, 3));
}

TEST(CurveBelief, FindsTheOptimumOfAPhysicalFormFromThreeWideMeasurements) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  const auto joules = [](double mhz) { return 60 + 30'000 / mhz + 50e-6 * mhz * mhz; };  // least at 669 MHz
  for (const std::size_t arm : {0U, 3U, 10U})
    belief.observe(arm, std::log(joules(300 + 100.0 * static_cast<double>(arm))), sharp);
  const double found = 300 + 100.0 * static_cast<double>(belief.best());
  EXPECT_LT(joules(found) / joules(669), 1.005) << found;
}

TEST(CurveBelief, DoubtsTheFormWhenAClockInTheMiddleIsASpike) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  for (const std::size_t arm : {2U, 3U, 5U}) belief.observe(arm, std::log(80.0), sharp);
  const double before = belief.doubt_in_form();
  belief.observe(4, std::log(92.0), sharp);
  EXPECT_GT(belief.doubt_in_form(), std::max(0.95, before));
}

TEST(CurveBelief, ForgetsWhatAStepCostsWhenItStartsAnew) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  belief.observe(3, std::log(80.0), sharp);
  belief.start_anew();
  belief.observe(3, std::log(140.0), sharp);
  EXPECT_NEAR(belief.mean(3), std::log(140.0), 0.01);
}

}  // namespace
}  // namespace sweetspot
