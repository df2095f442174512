// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/world.hpp"

// A governor whose jobs run under policy adaptive, on a made-up workload whose cheapest clock is known.
namespace sweetspot {
namespace {

/// A job whose step takes work / f, and a board that draws a fixed power and one that goes with the cube of the clock:
/// joules per step are least at (fixed / 2 cubic)^(1/3).
struct Workload {
  double steps_per_ghz_s = 20;
  double fixed_w = 8;
  double cubic_w = 20;  ///< at 1 GHz
  [[nodiscard]] double watts(double ghz) const { return fixed_w + cubic_w * ghz * ghz * ghz; }
  [[nodiscard]] double joules_per_step(Hertz clock) const {
    const double ghz = in_megahertz(clock) / 1000;
    return watts(ghz) / (steps_per_ghz_s * ghz);
  }
};
const Workload best_at_612{.fixed_w = 9.2};
const Workload best_at_1020{.fixed_w = 42};

JobSpec adaptive(JobSpec spec = wants_816) {
  spec.policy = "adaptive";
  return spec;
}

/// A world in which a job does its steps and reports each of them.
class Training : public World {
 public:
  using World::World;
  Workload workload = best_at_612;
  Hertz unpinned = megahertz(1300.5);  ///< where the kernel's governor would run it
  double done = 0;

  /// The job runs, the sampler samples when asked and ten times a second, the clock worker obeys.
  void train_for(JobId id, double s) {
    for (const Instant end = now + seconds(s); now < end;) {
      now += seconds(0.05);
      play();
      const auto before = static_cast<std::int64_t>(done);
      done += 0.05 * workload.steps_per_ghz_s * in_megahertz(running_at()) / 1000;
      if (repeats || static_cast<std::int64_t>(done) > before) {
        EXPECT_FALSE(governor.progress(id, static_cast<std::int64_t>(done), 1000, now));
      }
      sample();
      governor.tick(now);
      if (obeys && governor.goal() != governor.clock().goal) obey();
    }
  }
  bool obeys = true;
  bool repeats = false;  ///< the client says the number of its step ten times a step, as a loop that polls does
  [[nodiscard]] Hertz running_at() const { return governor.clock().applied.value_or(unpinned); }
  void play() { watts[0] = workload.watts(in_megahertz(running_at()) / 1000) - watts[1]; }
};

TEST(GovernorAdaptive, AJobStartsAtTheTreesClockAndSaysThatItWaitsForSteps) {
  Training world;
  const JobId id = world.start(adaptive());
  EXPECT_EQ(world.decision(id).policy, "adaptive");
  EXPECT_EQ(world.decision(id).frequency, megahertz(816));
  EXPECT_FALSE(world.decision(id).fallback);
  EXPECT_NE(world.decision(id).reason.find("starts at 816 MHz, the tree's clock"), std::string::npos)
      << world.decision(id).reason;
  EXPECT_NE(world.decision(id).reason.find("stays there until the job reports steps"), std::string::npos);
}

TEST(GovernorAdaptive, AJobThatTheTreeCannotAnswerStartsAtTheFixedClock) {
  Training world;
  const JobId id = world.start(adaptive({}));
  EXPECT_EQ(world.decision(id).frequency, megahertz(612));
  EXPECT_NE(world.decision(id).reason.find("the fixed clock, since the job gives no layers"), std::string::npos)
      << world.decision(id).reason;
}

TEST(GovernorAdaptive, AJobThatReportsItsStepsComesToItsOwnClock) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 200);
  EXPECT_NEAR(in_megahertz(world.decision(id).frequency.value()), 612, 110) << world.decision(id).reason;
  EXPECT_EQ(world.governor.goal(), world.decision(id).frequency);
  EXPECT_FALSE(world.seen<JobMoved>().empty());
}

TEST(GovernorAdaptive, EveryMoveTellsFromWhereWhatWasMeasuredAndWhy) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 60);
  const auto moves = world.seen<JobMoved>();
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves[0].from, megahertz(816));
  EXPECT_NE(moves[0].decision.frequency, megahertz(816));
  ASSERT_EQ(moves[0].measured.size(), 1U);
  EXPECT_EQ(moves[0].measured[0].clock, megahertz(816));
  EXPECT_NE(moves[0].decision.reason.find("J/step"), std::string::npos) << moves[0].decision.reason;
}

TEST(GovernorAdaptive, WhatIsMeasuredIsTheEnergyOfTheCountedRails) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 60);
  const auto measured = world.governor.measured(id);
  ASSERT_FALSE(measured.empty());
  for (const MeasuredClock& one : measured) {
    if (!one.clock) continue;
    EXPECT_NEAR(one.joules_per_step / world.workload.joules_per_step(*one.clock), 1, 0.02) << in_megahertz(*one.clock);
  }
}

TEST(GovernorAdaptive, StepsThatAreReportedAgainChangeNoFigure) {
  Training world;
  world.workload.steps_per_ghz_s = 2;  // a step takes many of the reports
  world.repeats = true;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 120);
  const auto measured = world.governor.measured(id);
  ASSERT_FALSE(measured.empty());
  for (const MeasuredClock& one : measured) {
    if (!one.clock) continue;
    EXPECT_NEAR(one.joules_per_step / world.workload.joules_per_step(*one.clock), 1, 0.1) << in_megahertz(*one.clock);
  }
}

TEST(GovernorAdaptive, StepsThatNobodyCanHaveDoneChangeNoFigure) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  for (const double jump : {1e9, -1e9, 5e5}) {  // the script counts on from a checkpoint, and back
    world.train_for(id, 40);
    world.done += jump;
  }
  world.train_for(id, 40);
  const auto measured = world.governor.measured(id);
  EXPECT_GE(measured.size(), 3U);
  for (const MeasuredClock& one : measured) {
    if (!one.clock) continue;
    EXPECT_NEAR(one.joules_per_step / world.workload.joules_per_step(*one.clock), 1, 0.02) << in_megahertz(*one.clock);
  }
  EXPECT_NEAR(in_megahertz(world.decision(id).frequency.value()), 612, 110) << world.decision(id).reason;
}

TEST(GovernorAdaptive, AJobThatReportsNothingStaysWhereItStarted) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.run_for(100);
  EXPECT_EQ(world.decision(id).frequency, megahertz(816));
  EXPECT_TRUE(world.seen<JobMoved>().empty());
  EXPECT_NE(world.end(id).decision.reason.find("stays there until the job reports steps"), std::string::npos);
}

TEST(GovernorAdaptive, MeasuringRestsWhileAnotherJobRuns) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 1);
  const JobId other = world.start(wants_no_clock);
  world.forget_events();
  world.train_for(id, 60);
  EXPECT_TRUE(world.seen<JobMoved>().empty());
  EXPECT_TRUE(world.governor.measured(id).empty());
  EXPECT_NE(world.decision(id).reason.find("rests while another job runs"), std::string::npos)
      << world.decision(id).reason;
  static_cast<void>(world.end(other));
  EXPECT_EQ(world.decision(id).reason.find("rests while another job runs"), std::string::npos);
  world.train_for(id, 30);
  EXPECT_FALSE(world.governor.measured(id).empty());
}

TEST(GovernorAdaptive, AJobThatWasNeverAloneSaysWhyItStays) {
  Training world;
  const JobId other = world.start(wants_510);
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 10);
  EXPECT_NE(world.decision(id).reason.find("rests while another job runs"), std::string::npos);
  EXPECT_EQ(world.seen<JobRedecided>().size(), 1U) << "said once";
  static_cast<void>(world.end(other));
  world.obey();
  world.train_for(id, 60);
  EXPECT_FALSE(world.governor.measured(id).empty());
}

TEST(GovernorAdaptive, WhatRunsAtAnotherClockIsNotMeasured) {
  Training world;
  world.obeys = false;
  const JobId id = world.start(adaptive());
  world.clock_is(ClockCondition::lost, megahertz(306), "a rival");
  world.train_for(id, 60);
  EXPECT_TRUE(world.governor.measured(id).empty());
  EXPECT_EQ(world.decision(id).frequency, megahertz(816));
}

TEST(GovernorAdaptive, AGapInTheMeterIsNotMeasured) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 1);
  for (int i = 0; i < 40; ++i) {
    world.train_for(id, 1);
    world.pass(2);
    world.done += 100;  // done unseen: counted in, they would make a step look cheap
  }
  for (const MeasuredClock& one : world.governor.measured(id))
    EXPECT_NEAR(one.joules_per_step / world.workload.joules_per_step(*one.clock), 1, 0.02);
}

TEST(GovernorAdaptive, UnderACapThatStaysItLooksAmongTheClocksThatAreLeft) {
  Training world;
  world.workload = best_at_1020;
  world.obeys = false;
  const JobId id = world.start(adaptive());
  world.clock_is(ClockCondition::capped, megahertz(612), "thermal");
  world.train_for(id, 10);
  EXPECT_EQ(world.decision(id).frequency, megahertz(612)) << world.decision(id).reason;
  EXPECT_NE(world.decision(id).reason.find("heat caps the GPU, so only clocks up to 612 MHz"), std::string::npos);
  EXPECT_EQ(world.seen<JobMoved>().back().from, megahertz(816));
}

TEST(GovernorAdaptive, ACapThatHasGoneIsNoticedAfterAWhile) {
  Training world;
  world.workload = best_at_1020;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 200);
  const auto before = world.decision(id).frequency;
  ASSERT_GT(before, megahertz(816));
  world.clock_is(ClockCondition::capped, megahertz(612), "thermal");
  world.train_for(id, 10);
  ASSERT_LE(world.decision(id).frequency, megahertz(612));
  world.train_for(id, 120);
  EXPECT_EQ(world.decision(id).frequency, before) << world.decision(id).reason;
  EXPECT_EQ(world.decision(id).reason.find("heat"), std::string::npos);
}

TEST(GovernorAdaptive, ANewPowerModeIsMeasuredAnewWithinItsCap) {
  Training world;
  world.workload = best_at_1020;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 100);
  BoardFacts facts = agx_orin();
  facts.power_mode = "MODE_30W";
  facts.clocks->cap = megahertz(612);
  world.governor.observe_board(facts, world.now);
  EXPECT_LE(world.decision(id).frequency, megahertz(612));
  EXPECT_TRUE(world.governor.measured(id).empty());
  EXPECT_NE(world.decision(id).reason.find("power mode changed"), std::string::npos);
}

TEST(GovernorAdaptive, AnotherCapInTheSamePowerModeIsNotCalledAPowerMode) {
  Training world;
  world.workload = best_at_1020;
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 100);
  BoardFacts facts = agx_orin();
  facts.clocks->cap = megahertz(612);
  world.governor.observe_board(facts, world.now);
  EXPECT_LE(world.decision(id).frequency, megahertz(612));
  EXPECT_NE(world.decision(id).reason.find("highest clock changed"), std::string::npos) << world.decision(id).reason;
}

TEST(GovernorAdaptive, ARestartedDaemonGoesOnFromTheClockThatWasFound) {
  Training before;
  const JobId id = before.start(adaptive());
  before.obey();
  before.train_for(id, 200);
  const auto found = before.decision(id).frequency;
  ASSERT_LT(found, megahertz(816));
  Training after;
  after.now = before.now + seconds(1);
  after.done = before.done;
  after.take_over(before.governor.state());
  EXPECT_EQ(after.decision(id).frequency, found);
  EXPECT_NE(after.decision(id).reason.find("the daemon was restarted and measures anew"), std::string::npos);
  after.governor.observe_board(agx_orin(), after.now);
  EXPECT_EQ(after.decision(id).frequency, found) << "not back to the tree's";
  after.obey();
  after.train_for(id, 5);
  EXPECT_FALSE(after.governor.measured(id).empty());
  EXPECT_NE(after.decision(id).reason.find("measures anew since the daemon was restarted"), std::string::npos);
}

TEST(GovernorAdaptive, AReadingIsAskedForWhenAReportNeedsOne) {
  Training world;
  const JobId id = world.start(adaptive());
  world.obey();
  world.run_for(1);
  ASSERT_FALSE(world.governor.wants_sample_at(world.now));
  ASSERT_FALSE(world.governor.progress(id, 1, 1000, world.now));
  EXPECT_TRUE(world.governor.wants_sample_at(world.now));
  world.now += seconds(0.01);
  world.sample();
  EXPECT_FALSE(world.governor.wants_sample_at(world.now));
  ASSERT_FALSE(world.governor.progress(id, 2, 1000, world.now));
  EXPECT_FALSE(world.governor.wants_sample_at(world.now)) << "too soon after the last";
}

TEST(GovernorAdaptive, ABoardWithMoreClocksThanItCanBearIsNotMeasured) {
  std::vector<Hertz> clocks;
  for (int i = 0; i < 129; ++i) clocks.push_back(megahertz(300 + i));
  BoardFacts facts = agx_orin();
  facts.clocks = BoardClocks{FrequencyTable::from(clocks).value(), megahertz(428)};
  Training world({}, facts);
  const JobId id = world.start(adaptive());
  world.obey();
  world.train_for(id, 10);
  EXPECT_TRUE(world.governor.measured(id).empty());
  EXPECT_NE(world.decision(id).reason.find("more than 128 clocks"), std::string::npos) << world.decision(id).reason;
}

/// Trains one job to its end and answers what it left to the next.
std::vector<LearnedProfile> lessons_of(Training& world, const JobSpec& spec, double s) {
  const JobId id = world.start(spec);
  world.done = 0;
  world.obey();
  world.train_for(id, s);
  static_cast<void>(world.end(id));
  return world.governor.take_lessons();
}

TEST(GovernorLearning, TheNextJobLikeItStartsWhereTheLastOneStayed) {
  Training world;
  const auto lessons = lessons_of(world, adaptive(), 200);
  ASSERT_EQ(lessons.size(), 1U);
  EXPECT_EQ(lessons[0].jobs, 1);
  EXPECT_NEAR(lessons[0].joules_per_step() / world.workload.joules_per_step(*lessons[0].clock), 1, 0.02);
  const Decision next = world.governor.explain(adaptive());
  EXPECT_EQ(next.frequency, lessons[0].clock);
  EXPECT_NE(next.reason.find("where the last job like it stayed"), std::string::npos) << next.reason;
}

TEST(GovernorLearning, FurtherJobsOfTheSameKindMakeTheSpreadKnown) {
  Training world;
  ASSERT_EQ(lessons_of(world, adaptive(), 200).size(), 1U);
  const auto lessons = lessons_of(world, adaptive(), 100);
  ASSERT_EQ(lessons.size(), 1U);
  ASSERT_EQ(lessons[0].jobs, 2);
  EXPECT_LT(lessons[0].spread().value(), 0.02);
}

TEST(GovernorLearning, WhatDiffersInAnythingStartsAtTheTree) {
  Training world;
  ASSERT_EQ(lessons_of(world, adaptive(), 200).size(), 1U);
  JobSpec other = adaptive();
  other.batch_size = 8;
  EXPECT_EQ(world.governor.explain(other).frequency, megahertz(816));
  other = adaptive();
  other.objective = "module";
  EXPECT_EQ(world.governor.explain(other).frequency, megahertz(816));
  other = adaptive();
  other.finish_within_s = 600;
  EXPECT_EQ(world.governor.explain(other).frequency, megahertz(816)) << "a deadline is another one for every job";
  BoardFacts facts = agx_orin();
  facts.power_mode = "MODE_50W";
  world.governor.observe_board(facts, world.now);
  EXPECT_EQ(world.governor.explain(adaptive()).frequency, megahertz(816));
}

TEST(GovernorLearning, NothingIsLearnedOrUsedWhenItIsSwitchedOff) {
  GovernorSettings settings;
  settings.adaptive.learning = false;
  Training world(settings);
  EXPECT_TRUE(lessons_of(world, adaptive(), 200).empty());
  EXPECT_EQ(world.governor.explain(adaptive()).frequency, megahertz(816));
}

TEST(GovernorLearning, AJobThatCannotBeRecognisedTeachesNothing) {
  Training world;
  EXPECT_TRUE(lessons_of(world, adaptive({}), 200).empty());
}

TEST(GovernorLearning, AJobUnderACapTeachesNothing) {
  Training world;
  world.workload = best_at_1020;
  world.obeys = false;
  const JobId id = world.start(adaptive());
  world.clock_is(ClockCondition::capped, megahertz(612), "thermal");
  world.train_for(id, 10);
  world.obey();
  world.train_for(id, 30);
  static_cast<void>(world.end(id));
  EXPECT_TRUE(world.governor.take_lessons().empty());
}

TEST(GovernorLearning, AnotherClockBeginsTheProfileAnew) {
  ProfileBook book;
  const ProfileKey key{.model_type = "bert", .layers = 24};
  static_cast<void>(book.learn(key, megahertz(612), 10, {}));
  EXPECT_EQ(book.learn(key, megahertz(612), 11, {}).jobs, 2);
  EXPECT_EQ(book.learn(key, megahertz(714), 9, {}).jobs, 1);
  EXPECT_EQ(book.find(key)->clock, megahertz(714));
}

}  // namespace
}  // namespace sweetspot
