// SPDX-License-Identifier: Apache-2.0
// The CUDA kernels and the way they are launched, run on a CPU (emulated_kernels.hpp), against the reference.
#include <gtest/gtest.h>

#include "tests/load/arithmetic_cases.hpp"
#include "tests/load/emulated_kernels.hpp"

namespace sweetspot::tests {
namespace {

class EmulatedKernels : public ::testing::TestWithParam<unsigned> {};

TEST_P(EmulatedKernels, ComputeEveryOperationAsTheReferenceDoes) {
  for (const auto& one : every_operation<double>()) {
    EmulatedArithmetic<double> arithmetic{EmulatedDevice<double>(GetParam())};
    expect_like_the_reference(arithmetic, one, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(ThreadsPerBlock, EmulatedKernels, ::testing::Values(32U, 64U));

TEST(EmulatedTraining, IsTheReferences) {
  CpuArithmetic<double> reference;
  EmulatedArithmetic<double> arithmetic{EmulatedDevice<double>(64)};
  const TrainingShape shape{1, 6, 2, 2, 3, 4};
  const auto wanted = trained<double>(reference, shape, 1);
  const auto got = trained<double>(arithmetic, shape, 1);
  EXPECT_LE(distance(wanted.gradients, got.gradients), 1e-12);
  EXPECT_LE(distance(wanted.parameters, got.parameters), 1e-7);
  EXPECT_NEAR(wanted.last_loss, got.last_loss, 1e-7);
}

// The bounds that a GPU is held to are ones that floats can keep.
TEST(EmulatedTraining, KeepsInFloatsWhatIsAskedOfAGpu) {
  for (const auto& one : every_operation<float>()) {
    EmulatedArithmetic<float> arithmetic{EmulatedDevice<float>(32)};
    expect_like_the_reference(arithmetic, one, operation_tolerance);
  }
  CpuArithmetic<float> reference;
  EmulatedArithmetic<float> arithmetic{EmulatedDevice<float>(32)};
  expect_like_training(trained<float>(reference, training_shape, 2), trained<float>(arithmetic, training_shape, 2));
}

}  // namespace
}  // namespace sweetspot::tests
