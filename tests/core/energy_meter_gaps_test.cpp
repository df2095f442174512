// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/meter_samples.hpp"

namespace sweetspot {
namespace {

using namespace meter_samples;

TEST(LongestGap, ARailMissingFromTheStartIsAGapUntilItsFirstValue) {
  EnergyMeter meter(1, longest_step);
  for (int i = 0; i < 20; ++i) meter.add(sample(i * 0.1, {missing}));
  for (int i = 20; i < 25; ++i) meter.add(sample(i * 0.1, {10}));
  EXPECT_EQ(gap_since(meter, 0), seconds(2));
  EXPECT_EQ(gap_since(meter, 1.5), seconds(2) - seconds(1.5));
}

TEST(LongestGap, ARailThatNeverCameIsOneGap) {
  EnergyMeter meter(1, longest_step);
  for (int i = 0; i <= 20; ++i) meter.add(sample(i * 0.1, {missing}));
  EXPECT_EQ(gap_since(meter, 0), seconds(2));
}

TEST(LongestGap, ARailMissingAfterAPauseIsAGapUntilItsNextValue) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.pause();
  meter.add(sample(100, {missing}));
  meter.add(sample(103, {10}));
  EXPECT_EQ(gap_since(meter, 100), seconds(3));
  EXPECT_EQ(gap_since(meter, 0), seconds(103));
}

TEST(LongestGap, ARailStillMissingIsAGapUpToNow) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(0.1, {10}));
  meter.add(sample(0.2, {missing}));
  meter.add(sample(1.1, {missing}));
  EXPECT_EQ(gap_since(meter, 0), seconds(1));
}

TEST(LongestGap, SamplesThatDoNotComeAreAGapUpToTheEndAskedFor) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  const std::vector<std::size_t> rail{0};
  EXPECT_EQ(meter.longest_gap(at(0), at(7), rail), seconds(7));
  EXPECT_EQ(meter.longest_gap(at(5), at(7), rail), seconds(2));
}

TEST(LongestGap, OnlyWhatLiesAfterTheBeginningCounts) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(10, {10}));
  meter.add(sample(10.1, {10}));
  meter.add(sample(13.1, {10}));
  EXPECT_EQ(gap_since(meter, 0), seconds(10));
  EXPECT_EQ(gap_since(meter, 8), seconds(13.1) - seconds(10.1));
  EXPECT_EQ(gap_since(meter, 12), seconds(13.1) - seconds(12));
  EXPECT_EQ(gap_since(meter, 13.1), Duration{0});
}

TEST(LongestGap, OfNoRailsIsNothing) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {missing}));
  meter.add(sample(5, {missing}));
  EXPECT_EQ(gap_since(meter, 0, {}), Duration{0});
}

/// Gaps, each a little shorter than the one before: the meter keeps a bounded number, and must never understate.
TEST(LongestGap, IsNeverUnderstatedByALongChainOfEverShorterGaps) {
  EnergyMeter meter(1, longest_step);
  std::vector<double> ends;
  double s = 0;
  meter.add(sample(s, {10}));
  for (int i = 0; i < 300; ++i) {
    s += 10 - i * 0.03;
    meter.add(sample(s, {10}));
    ends.push_back(s);
    s += 0.1;
    meter.add(sample(s, {10}));
  }
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const Duration truth = seconds(10 - static_cast<double>(i + 1) * 0.03);
    const Duration told = gap_since(meter, ends[i]);
    ASSERT_GE(told + Duration{1000}, truth) << "since the end of gap " << i;
    ASSERT_LE(told, truth + seconds(0.5)) << "since the end of gap " << i;
  }
}

}  // namespace
}  // namespace sweetspot
