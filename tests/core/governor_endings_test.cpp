// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

TEST(GovernorEnding, AnEndedJobLetsGoOfTheClockAtOnceAndWaitsForItsLastSample) {
  World world;
  const JobId id = world.start(wants_510);
  world.sample();
  world.run_for(1);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now + seconds(0.05)));
  EXPECT_EQ(world.governor.goal(), std::nullopt);
  EXPECT_TRUE(world.governor.needs_samples());
  EXPECT_TRUE(world.governor.wants_sample_at(world.now + seconds(0.05)));
  EXPECT_TRUE(world.seen<JobEnded>().empty());
  world.now += seconds(0.06);
  world.sample();
  ASSERT_EQ(world.seen<JobEnded>().size(), 1u);
  EXPECT_TRUE(world.governor.jobs().empty());
  EXPECT_FALSE(world.governor.needs_samples());
}

TEST(GovernorEnding, ASampleFromBeforeTheEndIsNotTheLastOne) {
  World world;
  const JobId id = world.start(wants_510);
  world.sample();
  world.now += seconds(0.1);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now + seconds(0.05)));
  world.sample();
  EXPECT_TRUE(world.seen<JobEnded>().empty());
  EXPECT_EQ(world.governor.jobs().size(), 1u);
}

TEST(GovernorEnding, ALastSampleThatDoesNotComeIsWaitedForOnlySoLong) {
  World world({.last_sample_wait = seconds(1)});
  const JobId id = world.start(wants_510);
  world.sample();
  ASSERT_FALSE(world.governor.end(id, 1000, world.now + seconds(3)));
  world.now += seconds(3);
  EXPECT_EQ(world.governor.next_deadline(), world.now + seconds(1));
  world.pass(0.999);
  EXPECT_TRUE(world.seen<JobEnded>().empty());
  world.pass(0.001);
  ASSERT_EQ(world.seen<JobEnded>().size(), 1u);
  EXPECT_EQ(world.seen<JobEnded>()[0].record.duration, seconds(3)) << "the wait is not part of the job";
  EXPECT_EQ(world.governor.next_deadline(), std::nullopt);
}

TEST(GovernorEnding, ALostJobSaysHowItWasLost) {
  World world;
  for (const EndedBy why : {EndedBy::lost, EndedBy::expired, EndedBy::interrupted}) {
    world.governor.lose(world.start(wants_510), why, world.now);
    world.now += seconds(0.1);
    world.sample();
    EXPECT_EQ(world.seen<JobEnded>().back().record.ended_by, why);
  }
}

TEST(GovernorEnding, LosingAJobTwiceOrAnUnknownOneIsNothing) {
  World world;
  const JobId id = world.start(wants_510);
  world.governor.lose(id + 1, EndedBy::lost, world.now);
  EXPECT_EQ(world.governor.goal(), megahertz(510));
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.governor.lose(id, EndedBy::lost, world.now);
  world.sample();
  world.governor.lose(id, EndedBy::lost, world.now);
  const auto ended = world.seen<JobEnded>();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].record.ended_by, EndedBy::client);
}

TEST(GovernorLease, AJobWithoutALeaseHasNoDeadline) {
  World world;
  world.start(wants_no_clock);
  EXPECT_EQ(world.governor.next_deadline(), std::nullopt);
  world.pass(1e6);
  EXPECT_EQ(world.governor.jobs().size(), 1u);
}

TEST(GovernorLease, EndsTheJobExactlyWhenItIsOver) {
  World world;
  const JobId id = world.start({.policy = "ffg", .lease_s = 30});
  EXPECT_EQ(world.governor.next_deadline(), world.now + seconds(30));
  world.pass(29.999);
  EXPECT_EQ(world.governor.goal(), megahertz(612));
  world.pass(0.001);
  EXPECT_EQ(world.governor.goal(), std::nullopt);
  world.sample();
  EXPECT_EQ(world.seen<JobEnded>().at(0).record.ended_by, EndedBy::expired);
  EXPECT_EQ(world.seen<JobEnded>().at(0).record.job_id, id);
}

TEST(GovernorLease, EveryProgressRenewsItEvenOneThatCountsNothing) {
  World world;
  const JobId id = world.start({.policy = "ffg", .lease_s = 30});
  for (const int steps : {5, 5, 4}) {
    world.pass(29);
    ASSERT_FALSE(world.governor.progress(id, steps, 1000, world.now));
    EXPECT_EQ(world.governor.next_deadline(), world.now + seconds(30));
  }
}

TEST(GovernorLease, AStrangersProgressDoesNotRenewIt) {
  World world;
  const JobId id = world.start({.policy = "ffg", .lease_s = 30});
  const auto deadline = world.governor.next_deadline();
  world.pass(10);
  EXPECT_TRUE(world.governor.progress(id, 1, 1001, world.now));
  EXPECT_EQ(world.governor.next_deadline(), deadline);
}

TEST(GovernorLease, TheEarliestOfSeveralIsTheDeadline) {
  World world;
  world.start({.policy = "ffg", .lease_s = 30});
  world.start({.policy = "ffg", .lease_s = 20});
  EXPECT_EQ(world.governor.next_deadline(), world.now + seconds(20));
}

TEST(GovernorInterrupt, EndsEveryJobAtOnceWithWhatWasMeasuredSoFar) {
  World world;
  const JobId first = world.start(wants_510);
  world.sample();
  world.run_for(2);
  const JobId second = world.start(wants_816);
  world.governor.interrupt_all(world.now);
  const auto ended = world.seen<JobEnded>();
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].record.job_id, first);
  EXPECT_EQ(ended[1].record.job_id, second);
  for (const JobEnded& job : ended) EXPECT_EQ(job.record.ended_by, EndedBy::interrupted);
  EXPECT_NEAR(ended[0].record.energy->value, 24, 1e-6);
  EXPECT_EQ(world.governor.goal(), std::nullopt);
  EXPECT_FALSE(world.governor.needs_samples());
}

TEST(GovernorInterrupt, AJobAlreadyEndingKeepsHowItEnded) {
  World world;
  const JobId id = world.start(wants_510);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.governor.interrupt_all(world.now);
  EXPECT_EQ(world.seen<JobEnded>().at(0).record.ended_by, EndedBy::client);
}

TEST(GovernorInterrupt, WithoutJobsIsNothing) {
  World world;
  world.governor.interrupt_all(world.now);
  EXPECT_TRUE(world.governor.take_events().empty());
}

}  // namespace
}  // namespace sweetspot
