// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/number_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace sweetspot {
namespace {

TEST(NumberText, WritesWholeNumbersWithoutPointOrExponent) {
  EXPECT_EQ(number_text(53), "53");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-7), "-7");
  EXPECT_EQ(number_text(1'000'000'000), "1000000000");
  EXPECT_EQ(number_text(999'999'999'999'999), "999999999999999");
}

TEST(NumberText, WritesFractionsAsShortAsTheyAre) {
  EXPECT_EQ(number_text(32.5), "32.5");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.25), "-0.25");
}

TEST(NumberText, ReadsBackAsTheSameDouble) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-10, 10);
  std::uniform_int_distribution<int> exponent(-300, 300);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::ldexp(mantissa(random), exponent(random));
    ASSERT_EQ(std::strtod(number_text(value).c_str(), nullptr), value);
  }
}

TEST(NumberText, WritesWhatIsNoNumberAsWhatItIs) {
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(NumberText, WritesTheDecimalsAskedFor) {
  EXPECT_EQ(fixed_text(22, 1), "22.0");
  EXPECT_EQ(fixed_text(1.4, 2), "1.40");
  EXPECT_EQ(fixed_text(2.5, 0), "2");
  EXPECT_EQ(fixed_text(-1.26, 1), "-1.3");
}

TEST(NumberText, HoldsTheLargestDoubleWithManyDecimals) {
  EXPECT_EQ(fixed_text(std::numeric_limits<double>::lowest(), 60).size(), 1u + 309u + 1u + 60u);
}

}  // namespace
}  // namespace sweetspot
