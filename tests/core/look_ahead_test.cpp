// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/look_ahead.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/played_job.hpp"

namespace sweetspot {
namespace {

using tests::grid;

std::vector<std::size_t> all_of(const CurveBelief& belief) {
  std::vector<std::size_t> arms(belief.arms());
  std::iota(arms.begin(), arms.end(), std::size_t{0});
  return arms;
}

constexpr double exact = 1e-6;  // variance of a measurement that is good to 0.1 %

TEST(LookAhead, ExpectsNothingFromMeasuringWhatIsKnown) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  for (std::size_t arm = 0; arm < 11; ++arm)
    belief.observe(arm, std::log(80.0 + std::abs(4.0 - static_cast<double>(arm))), exact);
  LookAhead look_ahead;
  look_ahead.look(belief, all_of(belief));
  for (std::size_t arm = 0; arm < 11; ++arm) EXPECT_LT(look_ahead.worth(belief, arm, {1e-4, 1e-4})[0], 1e-4) << arm;
}

TEST(LookAhead, ExpectsMoreOfALongerWindow) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  belief.observe(3, std::log(80.0), exact);
  LookAhead look_ahead;
  look_ahead.look(belief, all_of(belief));
  const auto worth = look_ahead.worth(belief, 5, {1e-3, 1e-4});
  EXPECT_GT(worth[0], 0);
  EXPECT_GT(worth[1], worth[0]);
}

TEST(LookAhead, FindsTheBestAmongTheChoicesOnly) {
  CurveBelief belief(CurvePrior::on(grid(11), megahertz(600), false));
  for (std::size_t arm = 0; arm < 11; ++arm)
    belief.observe(arm, std::log(80.0 + std::abs(4.0 - static_cast<double>(arm))), exact);
  LookAhead look_ahead;
  look_ahead.look(belief, std::vector<std::size_t>{6, 7, 8});
  EXPECT_EQ(look_ahead.best(), 6U);
}

TEST(LookAhead, IsTheExpectedGainOfANormalVariableForTwoArms) {
  // One arm is known; the other is believed to lie `distance` above it, give or take `deviation`.
  CurveFamily family{.weight = 1, .mean = {0, 0.05}, .covariance = {0, 0, 0, 0.0016}};
  CurveBelief belief(Arms{.clocks = {megahertz(300), megahertz(1300)}}, std::span(&family, 1));
  belief.observe(0, 0, 1e-9);
  LookAhead look_ahead;
  look_ahead.look(belief, all_of(belief));
  const double deviation = std::sqrt(belief.variance_between(0, 1));
  const double distance = belief.mean(1) - belief.mean(0);
  const double z = distance / deviation;
  const double normal_density = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979);
  const double exact = deviation * normal_density - distance * 0.5 * std::erfc(z / std::sqrt(2.0));
  const double found = look_ahead.worth(belief, 1, {1e-9, 1e-9})[0];
  EXPECT_NEAR(found, exact, 0.3 * exact);
}

}  // namespace
}  // namespace sweetspot
