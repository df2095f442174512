// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/frequency_table.hpp"

#include <gtest/gtest.h>

#include "core/boards.hpp"

namespace sweetspot {
namespace {

TEST(FrequencyTable, SortsAndRemovesDuplicates) {
  const auto table = FrequencyTable::from({megahertz(714), megahertz(306), megahertz(714), megahertz(612)});
  ASSERT_TRUE(table);
  const std::vector<Hertz> clocks(table->clocks().begin(), table->clocks().end());
  EXPECT_EQ(clocks, (std::vector<Hertz>{megahertz(306), megahertz(612), megahertz(714)}));
  EXPECT_EQ(table->lowest(), megahertz(306));
  EXPECT_EQ(table->highest(), megahertz(714));
}

TEST(FrequencyTable, RefusesAnEmptyListAndZero) {
  EXPECT_FALSE(FrequencyTable::from({}));
  EXPECT_FALSE(FrequencyTable::from({Hertz{0}}));
  EXPECT_FALSE(FrequencyTable::from({megahertz(612), Hertz{0}}));
}

TEST(FrequencyTable, ContainsItsEntriesAndNothingBesideThem) {
  const FrequencyTable table = agx_orin_table();
  for (const Hertz clock : table.clocks()) {
    EXPECT_TRUE(table.contains(clock));
    EXPECT_FALSE(table.contains(Hertz{clock.value + 1}));
    EXPECT_FALSE(table.contains(Hertz{clock.value - 1}));
  }
}

TEST(FrequencyTable, NearestIsTheEntryItselfForEveryEntry) {
  const FrequencyTable table = agx_orin_table();
  for (const Hertz clock : table.clocks()) EXPECT_EQ(table.nearest(clock), clock);
}

TEST(FrequencyTable, NearestTakesTheLowerOfTwoEquallyNearOnes) {
  const FrequencyTable table = agx_orin_table();
  EXPECT_EQ(table.nearest(megahertz(663)), megahertz(612));
  EXPECT_EQ(table.nearest(Hertz{663'000'001}), megahertz(714));
  EXPECT_EQ(table.nearest(Hertz{662'999'999}), megahertz(612));
}

TEST(FrequencyTable, NearestOfWhatLiesOutsideIsTheEnd) {
  const FrequencyTable table = agx_orin_table();
  EXPECT_EQ(table.nearest(Hertz{0}), megahertz(306));
  EXPECT_EQ(table.nearest(Hertz{std::numeric_limits<std::uint64_t>::max()}), megahertz(1300.5));
}

TEST(FrequencyTable, NearestIsNeverFartherThanAnyOtherEntry) {
  const FrequencyTable table = agx_orin_table();
  const auto distance = [](Hertz a, Hertz b) { return a > b ? a.value - b.value : b.value - a.value; };
  for (std::uint64_t hz = 0; hz < 1'600'000'000; hz += 1'234'567) {
    const Hertz nearest = table.nearest(Hertz{hz});
    for (const Hertz other : table.clocks()) ASSERT_LE(distance(nearest, Hertz{hz}), distance(other, Hertz{hz})) << hz;
  }
}

TEST(FrequencyTable, HighestWithinALimitIsAtMostTheLimit) {
  const FrequencyTable table = agx_orin_table();
  EXPECT_EQ(table.highest_within(megahertz(816)), megahertz(816));
  EXPECT_EQ(table.highest_within(megahertz(815.9)), megahertz(714));
  EXPECT_EQ(table.highest_within(megahertz(5000)), megahertz(1300.5));
  EXPECT_EQ(table.highest_within(megahertz(306)), megahertz(306));
}

TEST(FrequencyTable, HighestWithinALimitBelowTheTableIsNothing) {
  EXPECT_EQ(agx_orin_table().highest_within(megahertz(305)), std::nullopt);
  EXPECT_EQ(agx_orin_table().highest_within(Hertz{0}), std::nullopt);
}

}  // namespace
}  // namespace sweetspot
