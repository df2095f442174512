// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sweetspot/load/cpu_arithmetic.hpp"
#include "sweetspot/load/training_step.hpp"
#include "tests/load/arithmetic_cases.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::HasSubstr;

TEST(Training, LearnsItsBatchByHeart) {
  CpuArithmetic<float> arithmetic;
  const auto outcome = trained<float>(arithmetic, training_shape, 200);
  EXPECT_GT(outcome.first_loss, std::log(4.0) / 2);  // of four classes, guessed
  EXPECT_LT(outcome.last_loss, 0.1);
}

TEST(Training, IsTheSameTwice) {
  CpuArithmetic<float> one;
  CpuArithmetic<float> other;
  EXPECT_EQ(trained<float>(one, training_shape, 3).parameters, trained<float>(other, training_shape, 3).parameters);
}

// By hand, from the paper's algorithm 2.
TEST(AdamW, TakesTheStepThatItsPaperWrites) {
  CpuArithmetic<double> arithmetic;
  double parameter = 2;
  double gradient = 0.5;
  double first = 0;
  double second = 0;
  AdamW<double> rule;
  rule.rate = 0.1;
  rule.first_correction = 1 - rule.first_beta;
  rule.second_correction = 1 - rule.second_beta;
  arithmetic.update({&parameter, &gradient, &first, &second, 1}, rule);
  EXPECT_NEAR(first, 0.05, 1e-15);
  EXPECT_NEAR(second, 0.00025, 1e-15);
  EXPECT_NEAR(parameter, 2 - 0.1 * (1 + 0.01 * 2), 1e-7);

  rule.first_correction = 1 - rule.first_beta * rule.first_beta;
  rule.second_correction = 1 - rule.second_beta * rule.second_beta;
  gradient = -0.5;
  arithmetic.update({&parameter, &gradient, &first, &second, 1}, rule);
  const double direction = (0.9 * 0.05 - 0.1 * 0.5) / 0.19 / 0.5;
  EXPECT_NEAR(parameter, 1.898 - 0.1 * (direction + 0.01 * 1.898), 1e-7);
}

// BERT-base: 85.1 million without embeddings and pooler (12 × 7,087,872), and what stands at our end.
TEST(Shape, HasAsManyParametersAsTheModelItStandsFor) {
  EXPECT_EQ(parameter_count({}), 12U * 7'087'872U + 2 * 768U + 768U * 32U + 32U);
}

TEST(Shape, IsRefusedInWords) {
  EXPECT_EQ(problem_in({}), std::nullopt);
  EXPECT_THAT(problem_in({.hidden_size = 100, .heads = 3}).value_or(""), HasSubstr("100 cannot be shared among 3"));
  EXPECT_THAT(problem_in({.layers = 0}).value_or(""), HasSubstr("1 at least"));
  EXPECT_THAT(problem_in({.classes = 1}).value_or(""), HasSubstr("2 classes"));
  EXPECT_THAT(problem_in({.hidden_size = 768 * 64}).value_or(""), HasSubstr("too large"));
  EXPECT_THAT(problem_in({.batch_size = std::size_t(1) << 40U}).value_or(""), HasSubstr("too large"));
  EXPECT_THAT(problem_in({.sequence_length = 1 << 16}).value_or(""), HasSubstr("too large"));
}

}  // namespace
}  // namespace sweetspot::tests
