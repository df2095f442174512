// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::HasSubstr;
using testing::Not;

BoardFacts capped_at(double mhz) {
  BoardFacts facts = agx_orin();
  facts.clocks->cap = megahertz(mhz);
  return facts;
}

TEST(GovernorBoard, AGpuThatAppearsLateMapsTheRunningJobs) {
  World world({}, BoardFacts{});
  const JobId id = world.start(wants_714);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_THAT(world.decision(id).reason, HasSubstr("not mapped"));
  EXPECT_THAT(world.decision(id).reason, Not(HasSubstr("second stage off"))) << "not known yet";
  BoardFacts facts = agx_orin();
  facts.clocks = BoardClocks{agx_xavier_table(), megahertz(1377)};
  world.become(facts);
  EXPECT_EQ(world.governor.goal(), megahertz(675.75));
  const auto redecided = world.seen<JobRedecided>();
  ASSERT_EQ(redecided.size(), 1u);
  EXPECT_EQ(redecided[0].decision.clamped_from, megahertz(714));
  EXPECT_THAT(redecided[0].decision.reason, Not(HasSubstr("not mapped")));
}

TEST(GovernorBoard, AJobMeasuresFromWhenTheRailsAppear) {
  World world({}, BoardFacts{});
  const JobId id = world.start(wants_714);
  world.pass(5);
  world.become(agx_orin());
  world.watts = {10, 2, 5};
  world.sample();
  world.run_for(5);
  const EnergyRecord record = world.end(id);
  EXPECT_NEAR(record.energy->value, 60, 1e-6);
  EXPECT_NEAR(record.coverage, 0.5, 1e-9);
  EXPECT_EQ(record.longest_gap, seconds(5));
}

TEST(GovernorBoard, ALowerCapIsRespectedAtOnce) {
  World world;
  const JobId id = world.start(wants_816);
  world.governor.observe_board(capped_at(612), world.now);
  EXPECT_EQ(world.governor.goal(), megahertz(612));
  EXPECT_EQ(world.decision(id).clamped_from, megahertz(816));
  EXPECT_EQ(world.seen<JobRedecided>().size(), 1u);
}

TEST(GovernorBoard, ARaisedCapGivesTheJobItsClockBack) {
  World world({}, capped_at(612));
  const JobId id = world.start(wants_816);
  ASSERT_EQ(world.governor.goal(), megahertz(612));
  world.governor.observe_board(agx_orin(), world.now);
  EXPECT_EQ(world.governor.goal(), megahertz(816));
  EXPECT_EQ(world.decision(id).clamped_from, std::nullopt);
}

TEST(GovernorBoard, ACapThatDoesNotConcernAJobIsNoEvent) {
  World world;
  world.start(wants_510);
  world.governor.observe_board(capped_at(612), world.now);
  EXPECT_TRUE(world.seen<JobRedecided>().empty());
}

TEST(GovernorBoard, TheSameBoardAgainIsNoEvent) {
  World world;
  world.start(wants_510);
  world.governor.observe_board(agx_orin(), world.now);
  world.governor.observe_board(agx_orin(), world.now);
  EXPECT_TRUE(world.seen<JobRedecided>().empty());
}

TEST(GovernorBoard, ACapBelowTheTableLeavesTheJobWithoutAPinAndRunning) {
  World world;
  const JobId id = world.start(wants_816);
  world.governor.observe_board(capped_at(100), world.now);
  EXPECT_EQ(world.governor.goal(), std::nullopt);
  EXPECT_EQ(world.governor.jobs().size(), 1u);
  EXPECT_THAT(world.decision(id).reason, HasSubstr("nothing is pinned"));
}

TEST(GovernorBoard, AGpuThatVanishesKeepsJobsAndGoal) {
  World world;
  world.start(wants_816);
  BoardFacts facts = agx_orin();
  facts.clocks.reset();
  facts.has_gpu_load = false;
  world.governor.observe_board(facts, world.now);
  EXPECT_EQ(world.governor.goal(), megahertz(816));
  world.governor.observe_board(agx_orin(), world.now);
  EXPECT_EQ(world.governor.goal(), megahertz(816));
}

TEST(GovernorBoard, EndingJobsAreNotDecidedAnew) {
  World world;
  const JobId id = world.start(wants_816);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.governor.observe_board(capped_at(612), world.now);
  EXPECT_TRUE(world.seen<JobRedecided>().empty());
  EXPECT_EQ(world.decision(id).frequency, megahertz(816));
}

TEST(GovernorBoard, RecordsNameThePowerModeInForceAtTheirEnd) {
  World world;
  const JobId id = world.start(wants_816);
  world.sample();
  BoardFacts facts = agx_orin();
  facts.power_mode = "30W";
  world.governor.observe_board(facts, world.now);
  world.run_for(1);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.power_mode, "30W");
  EXPECT_NEAR(record.energy->value, 12, 1e-6) << "a new power mode is no new meter";
}

}  // namespace
}  // namespace sweetspot
