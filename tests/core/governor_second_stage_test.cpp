// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::HasSubstr;
using testing::Not;
using Phase = LoadWindow::Phase;

/// One mlg job, pinned to 714 MHz, on a GPU that is loaded to `load` per cent.
struct OneJob : World {
  explicit OneJob(double load_percent, GovernorSettings settings = {}) : World(std::move(settings)) {
    load = load_percent;
    id = start(wants_714);
    obey();
    sample();
  }
  JobId id = 0;
  [[nodiscard]] Phase phase() const { return job(id).load_window.phase; }
};

TEST(GovernorSecondStage, ALowLoadRaisesTheClockOnceTheWindowIsOver) {
  OneJob world(10);
  world.run_for(39);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_TRUE(world.seen<JobRedecided>().empty());
  world.run_for(1.2);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
  const auto redecided = world.seen<JobRedecided>();
  ASSERT_EQ(redecided.size(), 1u);
  EXPECT_EQ(redecided[0].job_id, world.id);
  EXPECT_EQ(redecided[0].decision, world.decision(world.id));
  EXPECT_EQ(redecided[0].decision.policy, "mlg");
  EXPECT_THAT(redecided[0].decision.reason, HasSubstr("mean GPU load 10.0 % <= 22.0 %: 1020 MHz"));
}

TEST(GovernorSecondStage, ALoadOfExactlyTheLimitRaisesTheClockHoweverItsSumIsRounded) {
  for (const double period : {0.1, 0.03, 0.07, 0.13, 1.0 / 3}) {
    OneJob world(22.0);
    for (int i = 0; i * period < 42; ++i) {
      world.now += seconds(period);
      world.sample();
    }
    EXPECT_EQ(world.governor.goal(), megahertz(1020)) << "sampled every " << period << " s";
  }
}

TEST(GovernorSecondStage, ALoadJustAboveTheLimitKeepsTheClockAndTheReasonSaysSo) {
  OneJob world(22.1);
  world.run_for(42);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_THAT(world.decision(world.id).reason, HasSubstr("mean GPU load 22.1 % > 22.0 %, the clock stays"));
  EXPECT_EQ(world.seen<JobRedecided>().size(), 1u);
}

TEST(GovernorSecondStage, IsDecidedOncePerJob) {
  OneJob world(80);
  world.run_for(42);
  ASSERT_EQ(world.phase(), Phase::decided);
  world.load = 1;
  world.clock_is(ClockCondition::lost);
  world.obey();
  world.run_for(120);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_EQ(world.seen<JobRedecided>().size(), 1u);
}

TEST(GovernorSecondStage, StaysDecidedAfterTheNewClockIsPinnedAndAnotherJobComes) {
  OneJob world(10);
  world.run_for(42);
  world.obey();
  world.end(world.start(wants_816));
  world.run_for(60);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
  EXPECT_EQ(world.seen<JobRedecided>().size(), 1u);
}

TEST(GovernorSecondStage, TheLoadWhileSettlingDoesNotCount) {
  OneJob world(100);
  world.run_for(10.2);
  ASSERT_EQ(world.phase(), Phase::measuring);
  world.load = 10;
  world.sample();
  world.run_for(32);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorSecondStage, TheWindowBeginsAfterThePinNotAfterTheStart) {
  World world;
  world.load = 10;
  const JobId id = world.start(wants_714);
  world.sample();
  world.run_for(100);
  EXPECT_EQ(world.job(id).load_window.phase, Phase::waiting_for_pin);
  world.obey();
  world.run_for(39);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  world.run_for(1.2);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorSecondStage, ALostPinThrowsTheWindowAway) {
  for (const ClockCondition condition :
       {ClockCondition::lost, ClockCondition::capped, ClockCondition::not_obeyed, ClockCondition::failing,
        ClockCondition::blocked, ClockCondition::pending, ClockCondition::no_gpu}) {
    OneJob world(10);
    world.run_for(35);
    world.clock_is(condition, std::nullopt, "x");
    EXPECT_EQ(world.phase(), Phase::waiting_for_pin) << name_of(condition);
    world.obey();
    world.run_for(39);
    EXPECT_EQ(world.governor.goal(), megahertz(714)) << name_of(condition);
    world.run_for(1.3);
    EXPECT_EQ(world.governor.goal(), megahertz(1020)) << name_of(condition);
  }
}

TEST(GovernorSecondStage, APinAtAnotherClockThanTheJobsIsNotItsPin) {
  OneJob world(10);
  world.clock_is(ClockCondition::pinned, megahertz(816));
  world.run_for(60);
  EXPECT_EQ(world.phase(), Phase::waiting_for_pin);
}

TEST(GovernorSecondStage, IsNotDecidedWhileASecondJobRuns) {
  OneJob world(10);
  world.run_for(35);
  const JobId second = world.start(wants_714);
  world.run_for(60);
  EXPECT_EQ(world.phase(), Phase::waiting_for_pin);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  world.end(second);
  world.run_for(38);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  world.run_for(3);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorSecondStage, ASecondJobBetweenTwoSamplesThrowsTheWindowAwayToo) {
  OneJob world(10);
  world.run_for(35);
  ASSERT_EQ(world.phase(), Phase::measuring);
  world.governor.lose(world.start(wants_no_clock), EndedBy::lost, world.now);
  EXPECT_EQ(world.phase(), Phase::waiting_for_pin);
}

TEST(GovernorSecondStage, AJobThatWaitsForItsLastSampleDoesNotHoldItUp) {
  World world({.last_sample_wait = seconds(500)});
  world.load = 10;
  const JobId first = world.start(wants_714);
  ASSERT_FALSE(world.governor.end(first, 1000, world.now + seconds(400)));
  const JobId second = world.start(wants_714);
  world.obey();
  world.run_for(42);
  EXPECT_EQ(world.governor.jobs().size(), 2u);
  EXPECT_EQ(world.decision(second).frequency, megahertz(1020));
}

TEST(GovernorSecondStage, WithoutALoadFileItIsOffAndTheReasonSaysSoFromTheStart) {
  BoardFacts facts = agx_orin();
  facts.has_gpu_load = false;
  World world({}, facts);
  world.load.reset();
  const JobId id = world.start(wants_714);
  EXPECT_THAT(world.seen<JobStarted>().at(0).decision.reason,
              HasSubstr("second stage off: this board shows no GPU load"));
  world.obey();
  world.run_for(60);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_TRUE(world.seen<JobRedecided>().empty());
  EXPECT_EQ(world.decision(id).frequency, megahertz(714));
}

TEST(GovernorSecondStage, ALoadFileThatComesLaterTurnsItOn) {
  BoardFacts facts = agx_orin();
  facts.has_gpu_load = false;
  World world({}, facts);
  world.load = 10;
  const JobId id = world.start(wants_714);
  world.obey();
  facts.has_gpu_load = true;
  world.become(facts);
  EXPECT_THAT(world.decision(id).reason, Not(HasSubstr("second stage off")));
  world.run_for(42);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorSecondStage, ALoadFileThatVanishesLeavesNoDeadlineBehind) {
  OneJob world(10);
  world.run_for(20);
  BoardFacts facts = agx_orin();
  facts.has_gpu_load = false;
  world.governor.observe_board(facts, world.now);
  EXPECT_EQ(world.governor.next_deadline(), std::nullopt);
  EXPECT_THAT(world.decision(world.id).reason, HasSubstr("second stage off"));
  world.run_for(60);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
}

TEST(GovernorSecondStage, ALoadThatCannotBeReadDecidesNothingAndTheReasonSaysSo) {
  OneJob world(10);
  world.load.reset();
  world.run_for(42);
  EXPECT_EQ(world.phase(), Phase::decided);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_THAT(world.decision(world.id).reason, HasSubstr("second stage off: the GPU load could not be measured"));
  EXPECT_EQ(world.seen<JobRedecided>().size(), 1u);
}

TEST(GovernorSecondStage, LessThanHalfAWindowMeasuredDecidesNothing) {
  OneJob world(10);
  world.run_for(22);
  world.load.reset();
  world.run_for(20);
  EXPECT_EQ(world.phase(), Phase::decided);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
}

TEST(GovernorSecondStage, AnotherMeterThrowsTheWindowAway) {
  OneJob world(10);
  world.run_for(35);
  BoardFacts facts = agx_orin();
  facts.rails = {"VDD_GPU_SOC", "VDD_CPU_CV"};
  world.become(facts);
  world.run_for(39);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  world.run_for(1.3);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorSecondStage, CanBeSwitchedOff) {
  GovernorSettings settings;
  settings.policy.second_stage.enabled = false;
  OneJob world(1, settings);
  world.run_for(60);
  EXPECT_EQ(world.phase(), Phase::off);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  EXPECT_THAT(world.decision(world.id).reason, Not(HasSubstr("second stage")));
}

TEST(GovernorSecondStage, OnlyAnswersOfMlgHaveOne) {
  for (const JobSpec& spec :
       {JobSpec{}, JobSpec{.policy = "ffg"}, JobSpec{.policy = "fixed", .frequency = megahertz(714)}}) {
    World world;
    world.load = 1;
    const JobId id = world.start(spec);
    const auto goal = world.governor.goal();
    world.obey();
    world.run_for(60);
    EXPECT_EQ(world.job(id).load_window.phase, Phase::off);
    EXPECT_EQ(world.governor.goal(), goal);
  }
}

TEST(GovernorSecondStage, SettleAndWindowAreThoseConfiguredWhenTheJobStarted) {
  GovernorSettings settings;
  settings.policy.second_stage.settle = seconds(1);
  settings.policy.second_stage.window = seconds(2);
  OneJob world(10, settings);
  world.governor.reconfigure({});
  world.run_for(2.9);
  EXPECT_EQ(world.governor.goal(), megahertz(714));
  world.run_for(0.4);
  EXPECT_EQ(world.governor.goal(), megahertz(1020));
}

TEST(GovernorSecondStage, AsksForASampleWhenAPhaseEndsAndDoesNotSpinUntilItComes) {
  OneJob world(10);
  const Instant pinned = world.now;
  EXPECT_EQ(world.governor.next_deadline(), pinned + seconds(10));
  world.pass(9);
  EXPECT_FALSE(world.governor.wants_sample_at(world.now));
  world.pass(1);
  EXPECT_TRUE(world.governor.wants_sample_at(world.now));
  EXPECT_EQ(world.governor.next_deadline(), std::nullopt) << "a sampler that is stuck must not make the loop spin";
  world.sample();
  EXPECT_FALSE(world.governor.wants_sample_at(world.now));
  EXPECT_EQ(world.governor.next_deadline(), pinned + seconds(40));
}

TEST(GovernorSecondStage, ANewCapAfterItIsRespectedAndItsReasonStays) {
  OneJob world(10);
  world.run_for(42);
  BoardFacts facts = agx_orin();
  facts.clocks->cap = megahertz(918);
  world.governor.observe_board(facts, world.now);
  EXPECT_EQ(world.governor.goal(), megahertz(918));
  EXPECT_EQ(world.decision(world.id).clamped_from, megahertz(1020));
  EXPECT_THAT(world.decision(world.id).reason, HasSubstr("mean GPU load 10.0 %"));
}

}  // namespace
}  // namespace sweetspot
