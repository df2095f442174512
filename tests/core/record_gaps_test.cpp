// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::ElementsAre;

TEST(RecordGaps, CountsAGapAtTheStart) {
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

TEST(RecordGaps, CountsAGapAtTheEnd) {
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

TEST(RecordGaps, CountsAGapInTheMiddle) {
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

TEST(RecordGaps, ARailThatIsMissingAtFirstIsAGapFromTheJobsStart) {
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

TEST(RecordGaps, ARailMissingAtLastIsAGapUpToTheJobsEnd) {
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

TEST(RecordGaps, AJobStartedWhileAnotherIsSampledDoesNotGetItsGaps) {
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

TEST(RecordGaps, TheConfiguredCoverageDecidesWhatIsValid) {
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

TEST(RecordGaps, ChangedRailsMakeWhatWasMeasuredBeforeAGap) {
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

TEST(RecordGaps, ASamplerThatBeganAnewMakesWhatWasMeasuredBeforeAGap) {
  World world;
  world.sample();
  world.run_for(3);
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

TEST(RecordGaps, AnEndingJobKeepsWhatItMeasuredWhenTheRailsChange) {
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

TEST(RecordGaps, AMeterOfAnotherBoardIsNotMixedIn) {
  World world;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(1);
  EnergyMeter stale(2, seconds(0.5));
  stale.add({.at = world.now + seconds(1), .rails = {Watts{1}, Watts{1}}, .gpu_load_percent = {}});
  world.governor.observe_meter(stale, world.now);
  EXPECT_NEAR(world.end(id).energy->value, 12, 1e-6);
}

TEST(RecordGaps, AReadingFromBeforeTheJobIsNotItsFirst) {
  World world;
  EnergyMeter meter(3, seconds(0.5));
  meter.add({.at = world.now - seconds(0.1), .rails = {Watts{10}, Watts{2}, Watts{5}}, .gpu_load_percent = {}});
  const JobId id = world.start(wants_714);
  world.governor.observe_meter(meter, world.now);
  EXPECT_FALSE(world.job(id).first);
  meter.add({.at = world.now, .rails = {Watts{10}, Watts{2}, Watts{5}}, .gpu_load_percent = {}});
  world.governor.observe_meter(meter, world.now);
  ASSERT_TRUE(world.job(id).first);
  EXPECT_EQ(world.job(id).first->at, world.now);
}

}  // namespace
}  // namespace sweetspot
