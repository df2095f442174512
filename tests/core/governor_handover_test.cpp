// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::HasSubstr;

/// The world after a restart, some time later: a governor and a sampler that go on with what the ones before left.
World after(World& before, double gap_s, GovernorSettings settings = {}) {
  World next(std::move(settings));
  next.now = before.now + seconds(gap_s);
  next.watts = before.watts;
  next.load = before.load;
  next.take_over(before.governor.state());
  return next;
}

/// One mlg job, pinned to 714 MHz, that has run for ten seconds.
World ten_seconds_in() {
  World world;
  world.start(wants_714);
  world.obey();
  world.sample();
  world.run_for(10);
  return world;
}

TEST(GovernorHandover, AJobGoesOnWithWhatItHasCostAndTheTimeBetweenIsAGap) {
  World before = ten_seconds_in();
  World world = after(before, 3);
  world.obey();
  world.sample();
  world.run_for(7);
  const EnergyRecord record = world.end(1);
  ASSERT_TRUE(record.energy);
  EXPECT_NEAR(record.energy->value, (10 + 2) * 17.0, 1e-6) << "17 of 20 seconds";
  EXPECT_EQ(record.duration, seconds(20));
  EXPECT_NEAR(record.coverage, 17.0 / 20, 1e-9);
  EXPECT_EQ(record.longest_gap, seconds(3));
  EXPECT_EQ(record.applied, megahertz(714));
  EXPECT_EQ(record.owner, (Owner{1000, 4711, "python3"}));
}

TEST(GovernorHandover, ALaterJobIsNotChargedWithTheGapOfAnEarlierOne) {
  World before = ten_seconds_in();
  World world = after(before, 3);
  world.sample();
  const JobId late = world.start(wants_816);
  world.sample();
  world.run_for(5);
  const EnergyRecord record = world.end(late);
  EXPECT_NEAR(record.coverage, 1, 1e-9);
  EXPECT_LE(record.longest_gap, seconds(0.1));
}

TEST(GovernorHandover, SharesOfJobsThatRanTogetherStillAddUpToTheBoardsEnergy) {
  World before = ten_seconds_in();
  before.start(wants_816);
  before.run_for(4);
  World world = after(before, 1);
  world.run_for(4);
  world.now += seconds(0.1);
  const EnergyRecord second = world.end(2);
  const EnergyRecord first = world.end(1);
  ASSERT_TRUE(first.share && second.share);
  EXPECT_NEAR(first.share->value + second.share->value, first.energy->value, 1e-6);
}

TEST(GovernorHandover, IdsGoOnWhereTheyWere) {
  World before = ten_seconds_in();
  before.end(before.start(wants_816));
  World world = after(before, 1);
  EXPECT_EQ(world.start(wants_510), 3);
}

TEST(GovernorHandover, ThePinIsTheGoalAtOnceAndTheHealthIsWhatItWas) {
  World before = ten_seconds_in();
  before.clock_is(ClockCondition::lost, std::nullopt, "a rival");
  World world = after(before, 1);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_EQ(world.governor.health().troubles().count(HealthReason::rival), 1u);
}

TEST(GovernorHandover, AFirstLookThatFindsTheClockHeldVouchesForTheTimeBetween) {
  World before = ten_seconds_in();
  World world = after(before, 5);
  world.obey();
  EXPECT_EQ(world.job(1).time_at.at(megahertz(714)), seconds(15));
}

TEST(GovernorHandover, AFirstLookThatFindsItLostDoesNot) {
  World before = ten_seconds_in();
  before.obey();
  World world = after(before, 5);
  ClockStatus lost{.condition = ClockCondition::lost, .goal = world.governor.goal(), .detail = "a rival"};
  lost.held_until = Instant{};
  world.governor.observe_clock(lost, world.now);
  EXPECT_EQ(world.job(1).time_at.at(megahertz(714)), seconds(10));
}

TEST(GovernorHandover, TheLoadWindowOfTheSecondStageGoesOn) {
  World before = ten_seconds_in();
  before.load = 5;
  before.run_for(15);  // half of the window of thirty
  World world = after(before, 1);
  world.sample();
  world.run_for(12);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  world.run_for(3);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorHandover, ALeaseThatRanOutMeanwhileExpiresAtTheFirstTick) {
  World before;
  before.start({.policy = "none", .lease_s = 10});
  before.sample();
  World world = after(before, 11);
  world.governor.tick(world.now);
  EXPECT_EQ(world.job(1).ended_by, EndedBy::expired);
}

TEST(GovernorHandover, JobsThatAreEndingStayBehind) {
  World before = ten_seconds_in();
  (void)before.governor.end(1, 1000, before.now);
  EXPECT_TRUE(before.governor.state().jobs.empty());
}

TEST(GovernorHandover, RailsThatChangedMeanwhileStartANewMeter) {
  World before = ten_seconds_in();
  World world = after(before, 1);
  BoardFacts facts = agx_orin();
  facts.rails = {"VDD_GPU_SOC", "VDD_CPU_CV"};
  world.become(facts);
  world.sample();
  world.run_for(10);
  const EnergyRecord record = world.end(1);
  EXPECT_NEAR(record.energy->value, (10 + 2) * 10.0, 1e-6);
  EXPECT_FALSE(record.energy_valid);
}

TEST(GovernorHandover, WhatAGovernorLeavesHasNoContradiction) {
  World before = ten_seconds_in();
  EXPECT_EQ(contradiction_in(before.governor.state()), std::nullopt);
  EXPECT_EQ(contradiction_in(World().governor.state()), std::nullopt);
}

TEST(GovernorHandover, AStateThatNoGovernorCanHaveBeenInIsNamed) {
  World before = ten_seconds_in();
  before.run_for(5);
  const GovernorState good = before.governor.state();
  ASSERT_EQ(good.jobs.at(0).load_window.phase, LoadWindow::Phase::measuring);
  struct Spoilt {
    const char* what;
    void (*spoil)(GovernorState&);
  };
  const Spoilt all[] = {
      {"never given", [](GovernorState& s) { s.jobs[0].id = s.next_id; }},
      {"never given", [](GovernorState& s) { s.jobs[0].id = 0; }},
      {"never given", [](GovernorState& s) { s.jobs.push_back(s.jobs[0]); }},
      {"has ended", [](GovernorState& s) { s.jobs[0].ended_by = EndedBy::client; }},
      {"layers", [](GovernorState& s) { s.jobs[0].spec.layers = -1; }},
      {"board's rails", [](GovernorState& s) { s.board.rails.pop_back(); }},
      {"board's rails", [](GovernorState& s) { s.meter->rails.pop_back(); }},
      {"board's rails", [](GovernorState& s) { s.meter->total.rails[0].integral = std::nan(""); }},
      {"board's rails", [](GovernorState& s) { s.meter->rails[0].last_at = s.meter->total.at + seconds(1); }},
      {"board's rails",
       [](GovernorState& s) {
         s.meter->rails[0].gaps.push_back({s.meter->total.at, {}});
       }},
      {"board's rails", [](GovernorState& s) { s.meter->rails[0].gaps.resize(65); }},
      {"first reading", [](GovernorState& s) { s.jobs[0].first->rails.clear(); }},
      {"first reading", [](GovernorState& s) { s.jobs[0].first->at = s.meter->total.at + seconds(1); }},
      {"no meter here", [](GovernorState& s) { s.meter.reset(); }},
      {"shares are of other", [](GovernorState& s) { s.jobs[0].shares.pop_back(); }},
      {"no number", [](GovernorState& s) { s.jobs[0].shares[0] = std::numeric_limits<double>::infinity(); }},
      {"load window", [](GovernorState& s) { s.jobs[0].load_window.begin.reset(); }},
      {"load window", [](GovernorState& s) { s.jobs[0].load_window.begin->rails.pop_back(); }},
      {"never was", [](GovernorState& s) { s.jobs[0].time_at[megahertz(612)] = seconds(-1); }},
      {"never was", [](GovernorState& s) { s.jobs[0].time_at[megahertz(612)] = seconds(1e6); }},
      {"started later", [](GovernorState& s) { s.jobs[0].started = s.clock_accounted_at + seconds(1); }},
      {"companions", [](GovernorState& s) { s.jobs[0].companions = -1; }},
      {"companions", [](GovernorState& s) { s.jobs[0].companions = s.next_id; }},
      {"load window", [](GovernorState& s) { s.jobs[0].policy.second_stage.settle = seconds(-1); }},
      {"next id", [](GovernorState& s) { s.next_id = std::numeric_limits<JobId>::max(); }},
      {"board's rails", [](GovernorState& s) { s.meter->total.rails[0].covered = seconds(1e6); }},
      {"attributed", [](GovernorState& s) { s.shared_up_to->rails.pop_back(); }},
  };
  for (const Spoilt& one : all) {
    GovernorState state = good;
    one.spoil(state);
    EXPECT_THAT(contradiction_in(state).value_or(""), HasSubstr(one.what));
  }
}

}  // namespace
}  // namespace sweetspot
