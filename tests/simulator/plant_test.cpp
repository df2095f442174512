// SPDX-License-Identifier: Apache-2.0
#include "simulator/plant.hpp"

#include <gtest/gtest.h>

#include "simulator/moments.hpp"

namespace sweetspot {
namespace {

using tests::ms;
using tests::start;

Board orin() {
  return *find_board("agx-orin-64-jp6");
}

double counted(const PartEnergy& energy) {
  return energy.gpu + energy.traffic + energy.cpu;
}

void pin(Plant& plant, const std::string& hz) {
  ASSERT_EQ(plant.devfreq().store_max(hz) + plant.devfreq().store_min(hz), 0);
  plant.retarget();
}

TEST(Plant, AJobOfNStepsCostsExactlyItsShareOfThePublishedEnergy) {
  const Workload work = *find_workload("deberta-v2-xlarge/sst2");
  Plant plant(orin(), {.time_scale = 100}, start);
  pin(plant, "612000000");
  const auto warm_up = plant.start_load(work, 0);
  plant.advance(start + ms(100));  // out of power gating and at the clock
  ASSERT_EQ(plant.clock(), megahertz(612));
  plant.end_load(warm_up);
  const auto id = plant.start_load(work, 421);
  plant.advance(start + ms(60'000));
  const LoadProgress done = plant.progress(id);
  EXPECT_FALSE(done.running);
  EXPECT_DOUBLE_EQ(done.steps, 421);
  EXPECT_NEAR(counted(done.energy) * 100 / (41044.05 * 421 / 4209), 1, 1e-6);
}

TEST(Plant, LookingMoreOftenChangesNothing) {
  const Workload work = *find_workload("bert-base/qnli");
  const auto energy = [&](int looks) {
    Plant plant(orin(), {.time_scale = 50}, start);
    (void)plant.start_load(work, 100);
    for (int i = 1; i <= looks; ++i) plant.advance(start + ms(3000) * i / looks);
    return counted(plant.energy());
  };
  EXPECT_NEAR(energy(1), energy(999), 1e-6);
}

TEST(Plant, TimeScaleShortensTheJobAndLeavesThePower) {
  const Workload work = *find_workload("deberta-v2-xlarge/sst2");
  const auto run = [&](double scale) {
    Plant plant(orin(), {.time_scale = scale}, start);
    const auto id = plant.start_load(work, 10);
    plant.advance(start + std::chrono::hours(1));
    return plant.progress(id).busy_s * scale;
  };
  EXPECT_NEAR(run(1), run(10), 0.3);
}

TEST(Plant, TheClockFollowsWithinThirtyMilliseconds) {
  Plant plant(orin(), {}, start);
  (void)plant.start_load(*find_workload("bert-large/qnli"), 0);
  plant.advance(start + ms(100));
  pin(plant, "510000000");
  EXPECT_EQ(plant.devfreq().target(), megahertz(510));
  plant.advance(start + ms(131));
  EXPECT_EQ(plant.clock(), megahertz(510));
}

TEST(Plant, AnIdleGpuIsGatedAfterHalfASecondAndShowsTheLowestClock) {
  Plant plant(orin(), {}, start);
  pin(plant, "1020000000");
  const auto id = plant.start_load(*find_workload("bert-base/sst2"), 0);
  plant.advance(start + ms(100));
  EXPECT_EQ(plant.clock(), megahertz(1020));
  plant.end_load(id);
  plant.advance(start + ms(590));
  EXPECT_TRUE(plant.powered());
  plant.advance(start + ms(610));
  EXPECT_FALSE(plant.powered());
  EXPECT_EQ(plant.clock(), megahertz(306));
  EXPECT_EQ(plant.load(), 0);
}

TEST(Plant, APinSurvivesPowerGating) {
  Plant plant(orin(), {}, start);
  pin(plant, "714000000");
  plant.advance(start + ms(5000));
  (void)plant.start_load(*find_workload("bert-base/sst2"), 0);
  plant.advance(start + ms(5040));
  EXPECT_EQ(plant.clock(), megahertz(714));
}

TEST(Plant, AnUnpinnedMeasuredJobCostsThePublishedMaxnEnergy) {
  const Workload work = *find_workload("pythia-14m/qnli");
  Plant plant(orin(), {}, start);
  const auto id = plant.start_load(work, work.total_steps);
  plant.advance(start + std::chrono::hours(1));
  EXPECT_NEAR(counted(plant.progress(id).energy) / 2090.5, 1, 2e-3);  // up to 30 ms at the reset clock
}

TEST(Plant, UnderACapBelowTheGovernorsClockTheCurveAtTheCapIsPlayed) {
  const Workload work = *find_workload("deberta-v2-xlarge/sst2");
  Plant plant(orin(), {.time_scale = 10}, start);
  ASSERT_EQ(plant.devfreq().store_max("816000000"), 0);
  plant.retarget();
  const auto id = plant.start_load(work, work.total_steps);
  plant.advance(start + std::chrono::hours(1));
  EXPECT_NEAR(counted(plant.progress(id).energy) * 10 / 40981.54, 1, 2e-3);
}

TEST(Plant, TwoLoadsShareTheTime) {
  const Workload work = *find_workload("bert-large/qnli");
  Plant plant(orin(), {}, start);
  pin(plant, "612000000");
  const auto first = plant.start_load(work, 0);
  plant.advance(start + ms(10'000));
  const double alone = plant.progress(first).steps;
  const auto second = plant.start_load(work, 0);
  plant.advance(start + ms(20'000));
  EXPECT_NEAR(plant.progress(first).steps - alone, alone / 2, alone * 0.01);
  EXPECT_NEAR(plant.progress(second).steps, alone / 2, alone * 0.01);
}

TEST(Plant, ABackgroundWorkloadStepsAsideForAStartedLoad) {
  Plant plant(orin(), {}, start);
  plant.background(find_workload("bert-large/qnli").value());
  plant.advance(start + ms(100));
  EXPECT_GT(plant.load(), 0.9);
  const auto id = plant.start_load(*find_workload("pythia-14m/qnli"), 0);
  EXPECT_LT(plant.load(), 0.25);
  plant.end_load(id);
  EXPECT_GT(plant.load(), 0.9);
}

TEST(Plant, AStuckClockStaysWhileTheLimitsMove) {
  Plant plant(orin(), {}, start);
  (void)plant.start_load(*find_workload("bert-large/qnli"), 0);
  plant.advance(start + ms(100));
  plant.obey(false);
  pin(plant, "510000000");
  plant.advance(start + ms(1000));
  EXPECT_EQ(plant.clock(), megahertz(1300.5));
  plant.obey(true);
  plant.advance(start + ms(1100));
  EXPECT_EQ(plant.clock(), megahertz(510));
}

TEST(Plant, RunNoiseChangesPowerFromRunToRunAndNotWithin) {
  Plant plant(orin(), {.run_noise = 0.05}, start);
  const Workload work = *find_workload("bert-large/qnli");
  const auto power = [&] {
    const auto id = plant.start_load(work, 0);
    plant.advance(plant.now() + ms(100));
    const double watts = plant.power().gpu;
    plant.end_load(id);
    return watts;
  };
  EXPECT_NE(power(), power());
}

TEST(Plant, ResidencyAddsUpToTheTimeThatPassed) {
  Plant plant(orin(), {}, start);
  (void)plant.start_load(*find_workload("bert-large/qnli"), 0);
  pin(plant, "612000000");
  plant.advance(start + ms(2500));
  double total = 0;
  for (std::size_t i = 0; i < 11; ++i) total += plant.seconds_at(i);
  EXPECT_NEAR(total, 2.5, 1e-9);
  EXPECT_GT(plant.seconds_at(3), 2.4);
}

}  // namespace
}  // namespace sweetspot
