// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/clock_comparison.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

/// Counted over a fifth of a second.
ClockReading counted(Hertz clock, std::optional<Hertz> before, std::optional<Hertz> after) {
  return {{clock.value / 5, 200'000'000, 1000}, before, after};
}

TEST(ClockOfACount, IsCyclesOverTime) {
  EXPECT_EQ(clock_of({183'600'000, 200'000'000, 1000}), megahertz(918));
  EXPECT_EQ(clock_of({1, 3'000'000'000, 1000}), Hertz{0});
}

TEST(ClockOfACount, IsNothingWhereNoTimePassed) {
  EXPECT_EQ(clock_of({5, 0, 0}), Hertz{0});
}

TEST(Agreement, AllowsWhatDriversRoundBy) {
  const auto at_408 = megahertz(408);
  EXPECT_EQ(agreement_in(counted(megahertz(407), at_408, at_408)), ClockAgreement::agrees);
  EXPECT_EQ(agreement_in(counted(megahertz(416), at_408, at_408)), ClockAgreement::agrees);
}

TEST(Agreement, IsNoneWhereTheCountIsLower) {
  const auto report = megahertz(1300.5);
  EXPECT_EQ(agreement_in(counted(megahertz(1270), report, report)), ClockAgreement::slower);
  EXPECT_EQ(agreement_in(counted(megahertz(650.25), report, report)), ClockAgreement::slower);
}

TEST(Agreement, IsNoneWhereTheCountIsHigher) {
  const auto report = megahertz(612);
  EXPECT_EQ(agreement_in(counted(megahertz(714), report, report)), ClockAgreement::faster);
}

TEST(Agreement, HoldsBetweenTwoReportsThatDiffer) {
  EXPECT_EQ(agreement_in(counted(megahertz(700), megahertz(612), megahertz(918))), ClockAgreement::agrees);
  EXPECT_EQ(agreement_in(counted(megahertz(700), megahertz(918), megahertz(612))), ClockAgreement::agrees);
  EXPECT_EQ(agreement_in(counted(megahertz(510), megahertz(918), megahertz(612))), ClockAgreement::slower);
}

TEST(Agreement, NeedsOneReport) {
  EXPECT_EQ(agreement_in(counted(megahertz(612), std::nullopt, std::nullopt)), ClockAgreement::unknown);
  EXPECT_EQ(agreement_in(counted(megahertz(612), megahertz(612), std::nullopt)), ClockAgreement::agrees);
  EXPECT_EQ(agreement_in(counted(megahertz(306), std::nullopt, megahertz(612))), ClockAgreement::slower);
}

}  // namespace
}  // namespace sweetspot
