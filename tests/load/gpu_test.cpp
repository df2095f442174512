// SPDX-License-Identifier: Apache-2.0
// A real GPU against the reference; skipped where there is none.
#include "sweetspot/load/gpu.hpp"

#include <gtest/gtest.h>

#include "support/wait.hpp"
#include "sweetspot/load/clock_comparison.hpp"
#include "tests/load/arithmetic_cases.hpp"

namespace sweetspot::tests {
namespace {

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto gpu = find_gpu_of_cuda(); !gpu) GTEST_SKIP() << gpu.error().message;
  }
};

TEST_F(Gpu, ComputesEveryOperationAsTheReferenceDoes) {
  for (const auto& one : every_operation<float>()) {
    const auto arithmetic = gpu_arithmetic(MatrixFormat::fp32).value();
    expect_like_the_reference(*arithmetic, one, operation_tolerance);
  }
}

TEST_F(Gpu, TrainsAsTheReferenceDoes) {
  CpuArithmetic<float> reference;
  const auto arithmetic = gpu_arithmetic(MatrixFormat::fp32).value();
  expect_like_training(trained<float>(reference, training_shape, 2), trained<float>(*arithmetic, training_shape, 2));
}

TEST_F(Gpu, CountsCyclesOfAClockThatGpusHave) {
  const auto counter = gpu_cycle_counter().value();
  ASSERT_TRUE(counter->start(std::chrono::milliseconds(100)));
  std::optional<CycleCount> count;
  ASSERT_TRUE(eventually([&] { return (count = counter->poll().value()).has_value(); }));
  EXPECT_GE(count->nanoseconds, 100'000'000U);
  EXPECT_GT(clock_of(*count), megahertz(50));
  EXPECT_LT(clock_of(*count), megahertz(5000));
}

}  // namespace
}  // namespace sweetspot::tests
