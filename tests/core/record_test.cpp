// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

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

TEST(Record, CountsAGapAtTheStart) {
  World world;
  const JobId id = world.start(wants_714);
  world.pass(2);
  world.sample();
  world.run_for(8);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.longest_gap, seconds(2));
  EXPECT_NEAR(record.coverage, 0.8, 1e-9);
  EXPECT_FALSE(record.energy_valid);
  EXPECT_NEAR(record.energy->value, 96, 1e-6) << "over the measured time only";
  EXPECT_NEAR(record.mean_power->value, 12, 1e-6);
}

TEST(Record, CountsAGapAtTheEnd) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(8);
  world.pass(2);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.pass(1);
  const EnergyRecord record = world.seen<JobEnded>().at(0).record;
  EXPECT_EQ(record.duration, seconds(10));
  EXPECT_EQ(record.longest_gap, seconds(2));
  EXPECT_NEAR(record.coverage, 0.8, 1e-9);
}

TEST(Record, CountsAGapInTheMiddle) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(3);
  world.pass(4);
  world.sample();
  world.run_for(3);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.longest_gap, seconds(4));
  EXPECT_NEAR(record.coverage, 0.6, 1e-9);
}

TEST(Record, ARailThatIsMissingAtFirstIsAGapFromTheJobsStart) {
  World world;
  const JobId id = world.start(wants_714);
  world.pass(1);
  world.watts[0] = std::numeric_limits<double>::quiet_NaN();
  world.sample();
  world.run_for(2);
  world.watts[0] = 10;
  world.run_for(1);
  const EnergyRecord record = world.end(id);
  EXPECT_EQ(record.longest_gap, seconds(3.1));
}

TEST(Record, ARailMissingAtLastIsAGapUpToTheJobsEnd) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(2);
  world.watts[0] = std::numeric_limits<double>::quiet_NaN();
  world.run_for(2);
  world.pass(3);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.pass(1);
  EXPECT_EQ(world.seen<JobEnded>().at(0).record.longest_gap, seconds(5));
}

TEST(Record, AJobStartedWhileAnotherIsSampledDoesNotGetItsGaps) {
  World world;
  const JobId old = world.start(wants_714);
  world.sample();
  world.pass(50);
  world.sample();
  const JobId young = world.start(wants_714);
  world.sample();
  world.run_for(2);
  EXPECT_EQ(world.end(young).longest_gap, Duration{0});
  EXPECT_EQ(world.end(old).longest_gap, seconds(50));
}

TEST(Record, TheConfiguredCoverageDecidesWhatIsValid) {
  for (const auto& [minimum, valid] : {std::pair{0.79, true}, std::pair{0.81, false}}) {
    GovernorSettings settings;
    settings.minimum_coverage = minimum;
    World world(settings);
    const JobId id = world.start(wants_714);
    world.pass(2);
    world.sample();
    world.run_for(8);
    EXPECT_EQ(world.end(id).energy_valid, valid) << minimum;
  }
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

TEST(Record, ChangedRailsMakeWhatWasMeasuredBeforeAGap) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(6);
  BoardFacts facts = agx_orin();
  facts.rails = {"VDD_CPU_CV", "VDD_GPU_SOC"};
  world.become(facts);
  world.watts = {2, 10};
  world.sample();
  world.run_for(4);
  const EnergyRecord record = world.end(id);
  EXPECT_NEAR(record.energy->value, 48, 1e-6);
  EXPECT_NEAR(record.share->value, 48, 1e-6);
  EXPECT_NEAR(record.coverage, 0.4, 1e-9);
  EXPECT_EQ(record.longest_gap, seconds(6));
  EXPECT_FALSE(record.energy_valid);
  EXPECT_THAT(record.rails_counted, ElementsAre("VDD_CPU_CV", "VDD_GPU_SOC"));
}

TEST(Record, ASamplerThatBeganAnewMakesWhatWasMeasuredBeforeAGap) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(6);
  EnergyMeter another(3, seconds(0.5));
  for (int i = 0; i < 40; ++i) {
    world.now += seconds(0.1);
    another.add({.at = world.now, .rails = {Watts{10}, Watts{2}, Watts{5}}, .gpu_load_percent = 50});
    world.governor.observe_meter(another, world.now);
  }
  const EnergyRecord record = world.governor.record_so_far(world.job(id), world.now);
  EXPECT_NEAR(record.energy->value, 12 * 3.9, 1e-6);
  EXPECT_NEAR(record.coverage, 0.39, 1e-9);
  EXPECT_EQ(record.samples, 40u);
}

TEST(Record, AnEndingJobKeepsWhatItMeasuredWhenTheRailsChange) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(5);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  BoardFacts facts = agx_orin();
  facts.rails.clear();
  world.become(facts);
  const auto ended = world.seen<JobEnded>();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_NEAR(ended[0].record.energy->value, 60, 1e-6);
}

TEST(Record, AMeterOfAnotherBoardIsNotMixedIn) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(1);
  EnergyMeter stale(2, seconds(0.5));
  stale.add({.at = world.now + seconds(1), .rails = {Watts{1}, Watts{1}}, .gpu_load_percent = {}});
  world.governor.observe_meter(stale, world.now);
  EXPECT_NEAR(world.end(id).energy->value, 12, 1e-6);
}

TEST(SharedEnergy, IsDividedEquallyAmongTheJobsOfEachMoment) {
  World world;
  const JobId first = world.start(wants_no_clock);
  world.sample();
  world.run_for(10);
  const JobId second = world.start(wants_no_clock);
  world.sample();
  world.run_for(10);
  const EnergyRecord record_of_first = world.end(first);
  world.run_for(10);
  const EnergyRecord record_of_second = world.end(second);
  EXPECT_NEAR(record_of_first.energy->value, 240, 1e-6);
  EXPECT_NEAR(record_of_first.share->value, 180, 1e-6);
  EXPECT_NEAR(record_of_second.share->value, 180, 1e-6);
  EXPECT_EQ(record_of_first.shared_with, 1);
  EXPECT_EQ(record_of_second.shared_with, 1);
}

TEST(SharedEnergy, JobsThatNeverMetShareNothing) {
  World world;
  for (int i = 0; i < 3; ++i) {
    const JobId id = world.start(wants_no_clock);
    world.sample();
    world.run_for(1);
    const EnergyRecord record = world.end(id);
    EXPECT_EQ(record.shared_with, 0);
    EXPECT_NEAR(record.share->value, record.energy->value, 1e-9);
  }
}

/// Random jobs starting and ending while the rails draw random power: over the time that any job is metered, the shares
/// add up to what the board took, no joule twice, none lost.
TEST(SharedEnergy, TheSharesOfAllJobsAddUpToTheBoardsEnergy) {
  std::mt19937 random(99);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 30; ++round) {
    World world;
    std::vector<JobId> running;
    EnergyMeter board(3, seconds(0.5));  // counts only while a job is metered
    for (int step = 0; step < 150; ++step) {
      world.watts = {unit(random) * 50, unit(random) * 5 - 0.4, unit(random) * 9};
      if (running.size() < 4 && unit(random) < 0.15) running.push_back(world.start(wants_no_clock));
      if (!running.empty() && unit(random) < 0.1) {
        const std::size_t which = std::uniform_int_distribution<std::size_t>(0, running.size() - 1)(random);
        world.governor.lose(running[which], EndedBy::lost, world.now);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
      }
      world.now += seconds(unit(random) < 0.05 ? 0.7 : 0.01 + unit(random) * 0.3);
      const bool metered = std::any_of(world.governor.jobs().begin(), world.governor.jobs().end(),
                                       [](const auto& entry) { return entry.second.first.has_value(); });
      if (!metered) board.pause();
      board.add({.at = world.now, .rails = {Watts{world.watts[0]}, Watts{world.watts[1]}}, .gpu_load_percent = {}});
      world.sample();
    }
    world.governor.interrupt_all(world.now);
    double shares = 0;
    for (const JobEnded& ended : world.seen<JobEnded>()) {
      if (ended.record.share) shares += ended.record.share->value;
    }
    const MeterReading taken = board.reading();
    ASSERT_NEAR(shares, taken.rails[0].integral + taken.rails[1].integral, 1e-6) << "round " << round;
  }
}

TEST(JobState, IsPendingUntilItsFirstSampleAndItsClock) {
  World world;
  const JobId id = world.start(wants_714);
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::pending);
  world.sample();
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::pending);
  world.obey();
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::active);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::ending);
}

TEST(JobState, AJobThatWishesForNoClockNeedsOnlyItsFirstSample) {
  World world;
  const JobId id = world.start(wants_no_clock);
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::pending);
  world.sample();
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::active);
}

TEST(Record, NamesOfItsStatesAreDistinct) {
  EXPECT_EQ(name_of(JobState::pending), "pending");
  EXPECT_EQ(name_of(JobState::active), "active");
  EXPECT_EQ(name_of(JobState::ending), "ending");
  EXPECT_EQ(name_of(EndedBy::client), "client");
  EXPECT_EQ(name_of(EndedBy::lost), "lost");
  EXPECT_EQ(name_of(EndedBy::expired), "expired");
  EXPECT_EQ(name_of(EndedBy::interrupted), "interrupted");
}

}  // namespace
}  // namespace sweetspot
