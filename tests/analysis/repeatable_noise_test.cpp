// SPDX-License-Identifier: Apache-2.0
#include "analysis/repeatable_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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

TEST(RepeatableNoise, IsNotTheSameStreamLaterOnForTheNextSeed) {
  RepeatableNoise one(7);
  RepeatableNoise next(8);
  std::vector<double> ones;
  std::vector<double> nexts;
  ones.reserve(2000);
  nexts.reserve(2000);
  for (int i = 0; i < 2000; ++i) {
    ones.push_back(one.next());
    nexts.push_back(next.next());
  }
  for (std::size_t lag = 0; lag < 8; ++lag) {
    double product = 0;
    for (std::size_t i = 0; i + lag < ones.size(); ++i) product += ones[i + lag] * nexts[i];
    EXPECT_LT(std::abs(product), 0.1 * static_cast<double>(ones.size())) << lag;
  }
}

}  // namespace
}  // namespace sweetspot
