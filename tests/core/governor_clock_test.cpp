// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ClockCondition every_condition[] = {
    ClockCondition::released,   ClockCondition::pending, ClockCondition::pinned,  ClockCondition::capped,
    ClockCondition::not_obeyed, ClockCondition::lost,    ClockCondition::waiting, ClockCondition::failing,
    ClockCondition::gave_up,    ClockCondition::blocked, ClockCondition::no_gpu};

std::vector<std::string> troubles_of(const World& world) {
  std::vector<std::string> names;
  for (const auto& [reason, trouble] : world.governor.health().troubles()) names.emplace_back(name_of(reason));
  return names;
}

/// The names of the events taken, for tests of their order.
struct NameOfEvent {
  std::string operator()(const JobStarted&) const { return "job started"; }
  std::string operator()(const JobRedecided&) const { return "job redecided"; }
  std::string operator()(const JobMoved&) const { return "job moved"; }
  std::string operator()(const JobMeasured&) const { return "job measured"; }
  std::string operator()(const JobEnded&) const { return "job ended"; }
  std::string operator()(const ClockPinned&) const { return "pinned"; }
  std::string operator()(const ClockLost&) const { return "lost"; }
  std::string operator()(const ClockRestored&) const { return "restored"; }
  std::string operator()(const Throttled&) const { return "throttled"; }
  std::string operator()(const TroubleBegan& t) const { return "trouble " + std::string(name_of(t.reason)); }
  std::string operator()(const TroubleEnded& t) const { return "over " + std::string(name_of(t.reason)); }
};
std::vector<std::string> new_events(World& world) {
  std::vector<std::string> names;
  for (const Event& event : world.governor.take_events()) names.push_back(std::visit(NameOfEvent{}, event));
  return names;
}

/// A world with one job whose clock is held.
World with_a_pin() {
  World world;
  world.start(wants_714);
  world.obey();
  world.forget_events();
  return world;
}

TEST(GovernorClock, AHeldPinIsAnEventAndNoTrouble) {
  World world;
  world.start(wants_714);
  world.forget_events();
  world.obey();
  EXPECT_THAT(new_events(world), ElementsAre("pinned"));
  EXPECT_TRUE(world.governor.health().well());
}

TEST(GovernorClock, TimeAfterTheLastLookThatFoundThePinCountsForNoClock) {
  World world = with_a_pin();
  const Instant pinned_at = world.now;
  world.now += seconds(4);
  ClockStatus lost{.condition = ClockCondition::lost, .goal = world.governor.goal(), .detail = "a rival"};
  lost.held_until = pinned_at + seconds(1);
  world.governor.observe_clock(lost, world.now);
  const Job& job = world.governor.jobs().begin()->second;
  EXPECT_EQ(job.time_at.at(megahertz(714)), seconds(1));
}

TEST(GovernorClock, ThePinnedEventNamesTheClockInForce) {
  World world;
  world.start(wants_714);
  world.clock_is(ClockCondition::pinned, megahertz(612));
  EXPECT_EQ(world.seen<ClockPinned>().at(0).clock, megahertz(612));
}

TEST(GovernorClock, TheSameReportTwiceIsNoNewEvent) {
  World world = with_a_pin();
  world.obey();
  EXPECT_THAT(new_events(world), IsEmpty());
}

TEST(GovernorClock, AnotherLookAtCurFreqIsNoNewEvent) {
  World world = with_a_pin();
  world.governor.observe_clock({ClockCondition::pinned, megahertz(714), megahertz(714), megahertz(306), ""}, world.now);
  EXPECT_THAT(new_events(world), IsEmpty());
  EXPECT_EQ(world.governor.clock().current, megahertz(306));
}

TEST(GovernorClock, ANewPinnedClockIsANewEvent) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::pinned, megahertz(816));
  EXPECT_THAT(new_events(world), ElementsAre("pinned"));
}

TEST(GovernorClock, ARivalIsALossAndATroubleUntilThePinIsBack) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::lost, std::nullopt, "max_freq reads 306000000: nvpmodel");
  EXPECT_THAT(new_events(world), ElementsAre("lost", "trouble rival"));
  EXPECT_EQ(world.governor.health().troubles().at(HealthReason::rival).detail, "max_freq reads 306000000: nvpmodel");
  world.obey();
  EXPECT_THAT(new_events(world), ElementsAre("pinned", "over rival"));
}

TEST(GovernorClock, TheLossEventNamesTheGoalAndTheRival) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::lost, std::nullopt, "jetson_clocks");
  const auto lost = world.seen<ClockLost>();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].clock, megahertz(714));
  EXPECT_EQ(lost[0].detail, "jetson_clocks");
}

TEST(GovernorClock, AClockThatIsNotObeyedIsALossAndAClockTrouble) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::not_obeyed, std::nullopt, "cur_freq 306000000");
  EXPECT_THAT(new_events(world), ElementsAre("lost", "trouble clock"));
}

TEST(GovernorClock, AThermalCapThrottlesUntilThePinIsBack) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::capped, megahertz(510), "gpu-throttle-alert");
  EXPECT_THAT(new_events(world), ElementsAre("throttled", "trouble throttled"));
  world.obey();
  EXPECT_THAT(new_events(world), ElementsAre("pinned", "over throttled"));
}

TEST(GovernorClock, ADeeperThermalCapIsANewEvent) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::capped, megahertz(510), "cooling");
  new_events(world);
  world.clock_is(ClockCondition::capped, megahertz(408), "cooling");
  EXPECT_THAT(new_events(world), ElementsAre("throttled"));
}

TEST(GovernorClock, RefusalsAreClockTroublesAndNoClockEvents) {
  for (const ClockCondition condition : {ClockCondition::failing, ClockCondition::gave_up, ClockCondition::blocked}) {
    World world = with_a_pin();
    world.clock_is(condition, std::nullopt, "min_freq: permission denied");
    EXPECT_THAT(new_events(world), ElementsAre("trouble clock")) << name_of(condition);
  }
}

TEST(GovernorClock, AMissingGpuIsATroubleOfItsOwn) {
  World world;
  world.clock_is(ClockCondition::no_gpu, std::nullopt, "no devfreq node named gpu");
  EXPECT_THAT(troubles_of(world), ElementsAre("gpu_not_ready"));
  world.clock_is(ClockCondition::released);
  EXPECT_TRUE(world.governor.health().well());
}

TEST(GovernorClock, PendingKeepsTheTroublesThereWere) {
  World world = with_a_pin();
  world.clock_is(ClockCondition::failing, std::nullopt, "refused");
  world.clock_is(ClockCondition::pending);
  EXPECT_THAT(troubles_of(world), ElementsAre("clock"));
  world.obey();
  EXPECT_TRUE(world.governor.health().well());
}

TEST(GovernorClock, AReleaseAfterAPinIsARestoration) {
  World world = with_a_pin();
  world.governor.interrupt_all(world.now);
  world.clock_is(ClockCondition::pending);
  world.forget_events();
  world.clock_is(ClockCondition::released, std::nullopt, "min 306 MHz, max 1300.5 MHz");
  EXPECT_THAT(new_events(world), ElementsAre("restored"));
}

TEST(GovernorClock, NothingIsRestoredWhereNothingWasWritten) {
  for (const ClockCondition before : {ClockCondition::no_gpu, ClockCondition::waiting}) {
    World world;
    world.clock_is(before, std::nullopt, "x");
    world.forget_events();
    world.clock_is(ClockCondition::released);
    EXPECT_TRUE(world.seen<ClockRestored>().empty()) << name_of(before);
  }
}

/// The trouble each condition stands for; empty: none.
std::string_view expected_trouble(ClockCondition condition) {
  switch (condition) {
    case ClockCondition::released:
    case ClockCondition::pinned:
    case ClockCondition::pending:
      return "";
    case ClockCondition::capped:
    case ClockCondition::waiting:
      return "throttled";
    case ClockCondition::lost:
      return "rival";
    case ClockCondition::not_obeyed:
    case ClockCondition::failing:
    case ClockCondition::gave_up:
    case ClockCondition::blocked:
      return "clock";
    case ClockCondition::no_gpu:
      return "gpu_not_ready";
  }
  return "";
}

TEST(GovernorClock, FromAnyConditionToAnyOtherLeavesExactlyItsOwnTrouble) {
  for (const ClockCondition before : every_condition) {
    for (const ClockCondition after : every_condition) {
      World world = with_a_pin();
      world.clock_is(before, std::nullopt, "before");
      world.clock_is(after, std::nullopt, "after");
      const ClockCondition telling = after == ClockCondition::pending ? before : after;
      const std::string_view trouble = expected_trouble(telling);
      if (trouble.empty()) {
        EXPECT_THAT(troubles_of(world), IsEmpty()) << name_of(before) << " to " << name_of(after);
      } else {
        EXPECT_THAT(troubles_of(world), ElementsAre(trouble)) << name_of(before) << " to " << name_of(after);
      }
    }
  }
}

TEST(GovernorClock, EveryTroubleThatBeganEndsOnceAllIsWell) {
  for (const ClockCondition condition : every_condition) {
    World world = with_a_pin();
    world.clock_is(condition, std::nullopt, "trouble");
    world.obey();
    EXPECT_EQ(world.seen<TroubleBegan>().size(), world.seen<TroubleEnded>().size()) << name_of(condition);
    EXPECT_TRUE(world.governor.health().well()) << name_of(condition);
  }
}

TEST(GovernorClock, EveryConditionHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const ClockCondition condition : every_condition) names.insert(name_of(condition));
  EXPECT_EQ(names.size(), std::size(every_condition));
  EXPECT_EQ(names.count(""), 0u);
}

TEST(GovernorClock, NoConditionChangesTheGoalOrEndsAJob) {
  for (const ClockCondition condition : every_condition) {
    World world = with_a_pin();
    world.clock_is(condition, std::nullopt, "x");
    EXPECT_EQ(world.governor.goal(), megahertz(714)) << name_of(condition);
    EXPECT_EQ(world.governor.jobs().size(), 1u);
  }
}

TEST(GovernorHealth, SensorTroubleComesAndGoes) {
  World world;
  world.governor.observe_sensor_trouble("VDD_GPU_SOC: no data available", world.now);
  EXPECT_THAT(new_events(world), ElementsAre("trouble sensor"));
  world.governor.observe_sensor_trouble("VDD_GPU_SOC: no data available", world.now);
  EXPECT_THAT(new_events(world), IsEmpty());
  world.governor.observe_sensor_trouble(std::nullopt, world.now);
  EXPECT_THAT(new_events(world), ElementsAre("over sensor"));
  world.governor.observe_sensor_trouble(std::nullopt, world.now);
  EXPECT_THAT(new_events(world), IsEmpty());
}

TEST(GovernorHealth, ClockReportsDoNotTouchTroublesOfOtherKinds) {
  World world = with_a_pin();
  world.governor.raise(HealthReason::config, "/etc/sweetspotd/config.json: $.pollicy", world.now);
  world.governor.raise(HealthReason::rails_missing, "no INA3221", world.now);
  for (const ClockCondition condition : every_condition) world.clock_is(condition, std::nullopt, "x");
  world.obey();
  EXPECT_THAT(troubles_of(world), ElementsAre("rails_missing", "config"));
  world.governor.clear(HealthReason::config);
  world.governor.clear(HealthReason::rails_missing);
  EXPECT_TRUE(world.governor.health().well());
}

}  // namespace
}  // namespace sweetspot
