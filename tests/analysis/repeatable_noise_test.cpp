// SPDX-License-Identifier: Apache-2.0
#include "analysis/repeatable_noise.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

TEST(RepeatableNoise, IsNormal) {
  RepeatableNoise noise(1);
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  constexpr int many = 200'000;
  for (int i = 0; i < many; ++i) {
    const double value = noise.next();
    sum += value;
    squares += value * value;
    beyond_two += std::abs(value) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / many, 0, 0.01);
  EXPECT_NEAR(squares / many, 1, 0.02);
  EXPECT_NEAR(static_cast<double>(beyond_two) / many, 0.0455, 0.003);
}

TEST(RepeatableNoise, DependsOnItsSeedAlone) {
  RepeatableNoise one(7);
  RepeatableNoise same(7);
  RepeatableNoise other(8);
  const double first = one.next();
  EXPECT_EQ(first, same.next());
  EXPECT_NE(first, other.next());
}

}  // namespace
}  // namespace sweetspot
