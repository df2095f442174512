// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/clock_verdict.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

constexpr Hertz mhz(std::uint64_t value) {
  return Hertz{value * 1000000};
}
constexpr Hertz lowest = mhz(306);

OwnLimits pinned_at(Hertz target, PinStyle style = PinStyle::exact) {
  return {.found = {mhz(306), mhz(1224)}, .last = target, .next = std::nullopt, .style = style};
}

ClockLook look_at(Hertz min, Hertz max) {
  ClockLook look;
  look.limits = {min, max};
  return look;
}

ClockLook under_load(Hertz current) {
  ClockLook look = look_at(mhz(816), mhz(816));
  look.current = current;
  look.powered = true;
  look.load_percent = 50.0;
  look.current_trusted = true;
  return look;
}

TEST(Judge, HoldsWhatReadsAsPinned) {
  EXPECT_EQ(judge(pinned_at(mhz(816)), look_at(mhz(816), mhz(816)), lowest).verdict, ClockVerdict::held);
  EXPECT_EQ(judge(pinned_at(mhz(816), PinStyle::cap), look_at(mhz(306), mhz(816)), lowest).verdict, ClockVerdict::held);
}

TEST(Judge, ToleratesOnePerCentBesideThePin) {
  EXPECT_EQ(judge(pinned_at(mhz(816)), under_load(mhz(808)), lowest).verdict, ClockVerdict::held);
  EXPECT_EQ(judge(pinned_at(mhz(816)), under_load(mhz(824)), lowest).verdict, ClockVerdict::held);
  EXPECT_EQ(judge(pinned_at(mhz(816)), under_load(mhz(807)), lowest).verdict, ClockVerdict::not_obeyed);
  EXPECT_EQ(judge(pinned_at(mhz(816)), under_load(mhz(825)), lowest).verdict, ClockVerdict::not_obeyed);
}

TEST(Judge, DoesNotJudgeTheClockWithoutLoadPowerOrTime) {
  ClockLook idle = under_load(mhz(306));
  idle.load_percent = 0.0;
  ClockLook unknown_load = under_load(mhz(306));
  unknown_load.load_percent.reset();
  ClockLook gated = under_load(mhz(306));
  gated.powered = false;
  ClockLook early = under_load(mhz(306));
  early.current_trusted = false;
  for (const ClockLook& look : {idle, unknown_load, gated, early}) {
    EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest).verdict, ClockVerdict::held);
  }
}

TEST(Judge, CallsALowerPairUnderActiveCoolingCapped) {
  ClockLook look = look_at(mhz(714), mhz(714));
  look.cooling = true;
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest), (Judgement{.verdict = ClockVerdict::capped}));
}

TEST(Judge, AdoptsNothingUnderActiveCooling) {
  ClockLook look = look_at(mhz(306), mhz(714));
  look.cooling = true;
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest), (Judgement{.verdict = ClockVerdict::waiting_for_cooling}));
}

TEST(Judge, AdoptsWhicheverLimitIsNotOurs) {
  EXPECT_EQ(judge(pinned_at(mhz(816)), look_at(mhz(306), mhz(612)), lowest),
            (Judgement{.verdict = ClockVerdict::mode_changed, .adopt_min = {}, .adopt_max = mhz(612)}));
  EXPECT_EQ(judge(pinned_at(mhz(816)), look_at(mhz(400), mhz(816)), lowest),
            (Judgement{.verdict = ClockVerdict::rival, .adopt_min = mhz(400), .adopt_max = {}}));
  EXPECT_EQ(judge(pinned_at(mhz(816)), look_at(mhz(900), mhz(1000)), lowest),
            (Judgement{.verdict = ClockVerdict::rival, .adopt_min = mhz(900), .adopt_max = mhz(1000)}));
  EXPECT_EQ(judge(pinned_at(mhz(816)), look_at(mhz(306), mhz(1224)), lowest),
            (Judgement{.verdict = ClockVerdict::rival}));
}

TEST(Judge, LooksTwiceAtWhatAThermalCapWouldShow) {
  ClockLook look = look_at(mhz(500), mhz(500));
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest).verdict, ClockVerdict::look_again);
  look.second_look = true;
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest),
            (Judgement{.verdict = ClockVerdict::rival, .adopt_min = mhz(500), .adopt_max = mhz(500)}));
}

TEST(Judge, LeavesMinAloneWhenOnlyMaxWasWritten) {
  ClockLook look = look_at(mhz(500), mhz(500));
  look.second_look = true;
  look.max_written = true;
  look.min_written = false;
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest),
            (Judgement{.verdict = ClockVerdict::rival, .adopt_min = {}, .adopt_max = mhz(500)}));
}

TEST(Judge, LooksTwiceAtALoneReset) {
  ClockLook look = look_at(mhz(306), mhz(816));
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest).verdict, ClockVerdict::look_again);
  look.second_look = true;
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest), (Judgement{.verdict = ClockVerdict::rival}));
  look.power_mode_changed = true;
  EXPECT_EQ(judge(pinned_at(mhz(816)), look, lowest),
            (Judgement{.verdict = ClockVerdict::mode_changed, .adopt_min = {}, .adopt_max = mhz(816)}));
}

TEST(Ownership, TakesFoundLastAndNextForOurs) {
  const OwnLimits own{.found = {mhz(306), mhz(1224)}, .last = mhz(510), .next = mhz(1020), .style = PinStyle::exact};
  for (const Hertz max : {mhz(1224), mhz(510), mhz(1020)}) {
    EXPECT_TRUE(ownership(own, look_at(mhz(306), max)).max);
  }
  EXPECT_FALSE(ownership(own, look_at(mhz(306), mhz(816))).max);
  EXPECT_TRUE(ownership(own, look_at(mhz(510), mhz(1020))).min);
  EXPECT_FALSE(ownership(own, look_at(mhz(408), mhz(1020))).min);
}

TEST(Ownership, SeesThroughAThermalCapOnlyWhileItIsThere) {
  ClockLook look = look_at(mhz(714), mhz(714));
  EXPECT_FALSE(ownership(pinned_at(mhz(816)), look).max);
  look.cooling = true;
  EXPECT_TRUE(ownership(pinned_at(mhz(816)), look).hidden);
  look.max_written = true;
  EXPECT_FALSE(ownership(pinned_at(mhz(816)), look).max);
}

TEST(LimitsFor, ACapTakesAHigherFoundMinimumDown) {
  const ClockLimits found{mhz(1020), mhz(1224)};
  EXPECT_EQ(limits_for(PinStyle::cap, mhz(612), found), (ClockLimits{mhz(612), mhz(612)}));
  EXPECT_EQ(limits_for(PinStyle::cap, mhz(1122), found), (ClockLimits{mhz(1020), mhz(1122)}));
}

}  // namespace
}  // namespace sweetspot
