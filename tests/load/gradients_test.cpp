// SPDX-License-Identifier: Apache-2.0
// The reference against calculus: every gradient it computes is what the loss does when a parameter is moved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "load/random_numbers.hpp"
#include "sweetspot/load/cpu_arithmetic.hpp"
#include "sweetspot/load/training_step.hpp"

namespace sweetspot {
namespace {

/// The step's parameters, all moved at random: at the first ones many gradients vanish or equal each other.
std::vector<double> moved(const TrainingStep<double>& step, std::uint64_t seed) {
  auto parameters = step.parameters().value();
  const auto moves = RandomNumbers(seed).around_zero<double>(parameters.size(), 0.3);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] += moves[i];
  return parameters;
}

double loss_at(TrainingStep<double>& step, const std::vector<double>& parameters) {
  EXPECT_TRUE(step.set_parameters(parameters));
  step.forward();
  return step.loss().value();
}

double slope_at(TrainingStep<double>& step, std::vector<double> parameters, std::size_t index) {
  constexpr double move = 1e-4;
  const double here = parameters[index];
  parameters[index] = here + move;
  const double above = loss_at(step, parameters);
  parameters[index] = here - move;
  return (above - loss_at(step, parameters)) / (2 * move);
}

class GradientsOfShape : public ::testing::TestWithParam<TrainingShape> {};

TEST_P(GradientsOfShape, AreTheSlopesOfTheLoss) {
  CpuArithmetic<double> arithmetic;
  auto step = TrainingStep<double>::create(arithmetic, GetParam(), 1).value();
  const auto parameters = moved(step, 2);
  loss_at(step, parameters);
  step.backward();
  const auto gradients = step.gradients().value();
  ASSERT_EQ(gradients.size(), parameter_count(GetParam()));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    EXPECT_NEAR(gradients[i], slope_at(step, parameters, i), 1e-7 + 1e-5 * std::abs(gradients[i])) << "parameter " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, GradientsOfShape,
                         ::testing::Values(TrainingShape{1, 4, 2, 1, 3, 3}, TrainingShape{2, 4, 1, 2, 2, 2},
                                           TrainingShape{1, 6, 3, 2, 4, 5}, TrainingShape{1, 2, 1, 1, 1, 2}));

}  // namespace
}  // namespace sweetspot
