// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::ElementsAre;

TEST(Record, AFullyMeasuredJobTellsWhatItCost) {
  World world;
  const JobId id = world.start({.name = "bert", .policy = "ffg"});
  world.obey();
  world.sample();
  world.run_for(10);
  ASSERT_FALSE(world.governor.progress(id, 100, 1000, world.now));
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.job_id, id);
  EXPECT_EQ(record.name, "bert");
  EXPECT_EQ(record.duration, seconds(10));
  EXPECT_EQ(record.steps, 100);
  EXPECT_THAT(record.rails_counted, ElementsAre("VDD_GPU_SOC", "VDD_CPU_CV"));
  EXPECT_THAT(record.rails_left_out, ElementsAre("VIN_SYS_5V0"));
  EXPECT_NEAR(record.energy->value, 120, 1e-6);
  EXPECT_NEAR(record.mean_power->value, 12, 1e-6);
  EXPECT_EQ(record.samples, 101u);
  EXPECT_DOUBLE_EQ(record.coverage, 1);
  EXPECT_EQ(record.longest_gap, Duration{0});
  EXPECT_TRUE(record.energy_valid);
  EXPECT_NEAR(*record.gpu_load_mean, 80, 1e-6);
  EXPECT_EQ(record.shared_with, 0);
  EXPECT_NEAR(record.share->value, 120, 1e-6);
  EXPECT_EQ(record.power_mode, "MAXN");
  EXPECT_EQ(record.board, "NVIDIA Jetson AGX Orin Developer Kit");
  EXPECT_EQ(record.ended_by, EndedBy::client);
  EXPECT_EQ(record.owner, (Owner{1000, 4711, "python3"}));
  EXPECT_EQ(record.applied, megahertz(612));
  EXPECT_DOUBLE_EQ(*record.share_at_clock, 1);
}

TEST(Record, EveryRailIsThereAndTheLeftOutOnesAreMeasuredToo) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(2);
  const EnergyRecord record = world.end(id);
  ASSERT_EQ(record.rails.size(), 3u);
  EXPECT_EQ(record.rails[2].name, "VIN_SYS_5V0");
  EXPECT_NEAR(record.rails[2].energy->value, 10, 1e-6);
  EXPECT_NEAR(record.rails[2].mean_power->value, 5, 1e-6);
}

void expect_nothing_measured(const EnergyRecord& record) {
  EXPECT_EQ(record.energy, std::nullopt);
  EXPECT_EQ(record.share, std::nullopt);
  EXPECT_EQ(record.mean_power, std::nullopt);
  EXPECT_EQ(record.gpu_load_mean, std::nullopt);
  EXPECT_EQ(record.coverage, 0);
  EXPECT_EQ(record.longest_gap, record.duration);
  EXPECT_FALSE(record.energy_valid);
  for (const RailEnergy& rail : record.rails) {
    EXPECT_EQ(rail.energy, std::nullopt);
    EXPECT_EQ(rail.mean_power, std::nullopt);
  }
}

TEST(Record, AJobWithoutAnySampleHasNoEnergyRatherThanZero) {
  World world;
  const JobId id = world.start(wants_714);
  world.pass(10);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.pass(2);
  const auto ended = world.seen<JobEnded>();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].record.duration, seconds(10));
  EXPECT_EQ(ended[0].record.samples, 0u);
  EXPECT_EQ(ended[0].record.rails.size(), 3u);
  expect_nothing_measured(ended[0].record);
}

TEST(Record, AJobWithOneSampleHasNoEnergyRatherThanZero) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.pass(10);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.pass(2);
  const EnergyRecord record = world.seen<JobEnded>().at(0).record;
  EXPECT_EQ(record.samples, 1u);
  expect_nothing_measured(record);
}

TEST(Record, AJobOnABoardWithoutRailsHasNoEnergyAndNeedsNoLastSample) {
  World world({}, {.clocks = agx_orin_clocks()});
  const JobId id = world.start(wants_714);
  world.pass(10);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.governor.tick(world.now);
  const EnergyRecord record = world.seen<JobEnded>().at(0).record;
  EXPECT_TRUE(record.rails.empty());
  EXPECT_TRUE(record.rails_counted.empty());
  expect_nothing_measured(record);
}

TEST(Record, AnUnknownBoardsRailsAreMeasuredButNotSummed) {
  World world({}, {.clocks = agx_orin_clocks(), .rails = {"VDD_MYSTERY"}, .has_gpu_load = true});
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(2);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.energy, std::nullopt);
  EXPECT_FALSE(record.energy_valid);
  EXPECT_EQ(record.longest_gap, record.duration);
  EXPECT_NEAR(record.rails.at(0).energy->value, 20, 1e-6);
  EXPECT_THAT(record.rails_left_out, ElementsAre("VDD_MYSTERY"));
}

TEST(Record, OneUnmeasuredCountedRailLeavesTheSumUnmeasured) {
  World world;
  world.watts[1] = std::numeric_limits<double>::quiet_NaN();
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(2);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.energy, std::nullopt);
  EXPECT_EQ(record.share, std::nullopt);
  EXPECT_EQ(record.mean_power, std::nullopt);
  EXPECT_FALSE(record.energy_valid);
  EXPECT_NEAR(record.rails.at(0).energy->value, 20, 1e-6);
  EXPECT_EQ(record.rails.at(1).energy, std::nullopt);
  EXPECT_EQ(record.longest_gap, seconds(2));
}

TEST(Record, AnUnmeasuredRailThatIsNotCountedDoesNotMatter) {
  World world;
  world.watts[2] = std::numeric_limits<double>::quiet_NaN();
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(2);
  const EnergyRecord record = world.end(id);
  EXPECT_NEAR(record.energy->value, 24, 1e-6);
  EXPECT_TRUE(record.energy_valid);
  EXPECT_EQ(record.longest_gap, Duration{0});
}

TEST(Record, TheJobsRailsGoBeforeItsObjectiveAndThatBeforeTheConfigured) {
  GovernorSettings settings;
  settings.rails.objective = Objective::module;
  World world(settings);
  const JobId configured = world.start(wants_no_clock);
  const JobId by_objective = world.start({.policy = "none", .objective = "gpu+cpu"});
  const JobId by_rails =
      world.start({.policy = "none", .objective = "gpu+cpu", .rails = std::vector<std::string>{"VIN_SYS_5V0"}});
  world.sample();
  world.run_for(1);
  EXPECT_NEAR(world.end(configured).energy->value, 17, 1e-6);
  EXPECT_NEAR(world.end(by_objective).energy->value, 12, 1e-6);
  EXPECT_NEAR(world.end(by_rails).energy->value, 5, 1e-6);
}

TEST(Record, NeitherShareOfTimeExceedsOneWhenTheLastSampleComesLate) {
  World world;
  const JobId id = world.start(wants_714);
  world.obey();
  world.sample();
  world.run_for(1);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.now += seconds(0.4);
  world.sample();
  const EnergyRecord record = world.seen<JobEnded>().at(0).record;
  EXPECT_EQ(record.duration, seconds(1));
  EXPECT_EQ(record.coverage, 1);
  EXPECT_EQ(record.share_at_clock, 1);
}

TEST(Record, AJobThatEndsAsItStartsHasNoFiguresAndNoDivisionByZero) {
  World world;
  const JobId id = world.start(wants_714);
  world.obey();
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.duration, Duration{0});
  EXPECT_EQ(record.applied, std::nullopt);
  EXPECT_EQ(record.share_at_clock, std::nullopt);
  expect_nothing_measured(record);
}

TEST(Record, AppliedIsTheClockHeldLongestAndItsShareOfTheJob) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(1);
  world.clock_is(ClockCondition::pinned, megahertz(714));
  world.run_for(5);
  world.clock_is(ClockCondition::pinned, megahertz(816));
  world.run_for(3);
  world.clock_is(ClockCondition::lost);
  world.run_for(1);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.applied, megahertz(714));
  EXPECT_NEAR(*record.share_at_clock, 0.5, 1e-9);
}

TEST(Record, AppliedIsEmptyWhereNothingWasEverPinned) {
  World world;
  const JobId id = world.start(wants_714);
  world.clock_is(ClockCondition::failing, std::nullopt, "min_freq: permission denied");
  world.sample();
  world.run_for(1);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.applied, std::nullopt);
  EXPECT_EQ(record.share_at_clock, std::nullopt);
}

TEST(Record, ARunningJobsRecordCountsItsClockUpToNow) {
  World world;
  const JobId id = world.start(wants_714);
  world.obey();
  world.sample();
  world.run_for(4);
  const EnergyRecord record = world.governor.record_so_far(world.job(id), world.now);
  EXPECT_EQ(record.applied, megahertz(714));
  EXPECT_NEAR(*record.share_at_clock, 1, 1e-9);
  EXPECT_NEAR(record.energy->value, 48, 1e-6);
  EXPECT_EQ(record.duration, seconds(4));
}

}  // namespace
}  // namespace sweetspot
