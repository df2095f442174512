// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/curve.hpp"

#include <gtest/gtest.h>

#include "analysis/samples.hpp"

namespace sweetspot {
namespace {

using tests::timed_curve;

FrequencyTable table(std::vector<Hertz> clocks) {
  return FrequencyTable::from(std::move(clocks)).value();
}

TEST(Repeats, KeepMeanAndDeviation) {
  Repeats repeats;
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) repeats.add(value);
  EXPECT_EQ(repeats.count(), 8U);
  EXPECT_DOUBLE_EQ(repeats.mean(), 5);
  EXPECT_DOUBLE_EQ(*repeats.deviation(), std::sqrt(32.0 / 7));
}

TEST(Repeats, LoseNoDigitsOfLargeValues) {
  Repeats repeats;
  for (const double value : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) repeats.add(value);
  EXPECT_DOUBLE_EQ(*repeats.deviation(), std::sqrt(30.0));
}

TEST(Curve, FindsItsLeastEnergyAndOfEqualOnesTheLowestClock) {
  EXPECT_EQ(timed_curve("a", {{306, 9}, {408, 7}, {510, 7}, {612, 8}}).least_energy()->clock, megahertz(408));
  EXPECT_EQ(timed_curve("a", {}).least_energy(), nullptr);
}

TEST(Curve, HasPointsOnlyWhereSomethingWasMeasured) {
  const Curve curve = timed_curve("a", {{306, 9}, {510, 7}});
  EXPECT_EQ(curve.at(megahertz(510))->energy(), 7);
  EXPECT_EQ(curve.at(megahertz(408)), nullptr);
  EXPECT_EQ(curve.at(megahertz(612)), nullptr);
}

TEST(CurveOnTable, MovesRoundedClocksToTheBoardsOwn) {
  const auto moved =
      on_table(timed_curve("a", {{306, 9}, {1300, 7}}), table({megahertz(306), megahertz(408), megahertz(1300.5)}));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->points[1].clock, megahertz(1300.5));
}

TEST(CurveOnTable, IsEmptyForACurveOfAnotherBoard) {
  EXPECT_FALSE(on_table(timed_curve("a", {{306, 9}, {420, 7}}), table({megahertz(306), megahertz(408)})));
  EXPECT_FALSE(on_table(timed_curve("a", {{1300, 9}, {1300.5, 7}}), table({megahertz(1300.5)})));
}

}  // namespace
}  // namespace sweetspot
