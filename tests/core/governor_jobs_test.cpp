// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using testing::HasSubstr;

std::string refusal_of(World& world, JobSpec spec, std::uint32_t uid = 1000) {
  const auto started = world.governor.start({std::move(spec), {uid, 1, "python3"}, world.now, {}});
  if (started) return "started";
  if (const auto* problem = std::get_if<SpecProblem>(&started.error())) return problem->field;
  const auto& too_many = std::get<Governor::TooManyJobs>(started.error());
  return std::to_string(too_many.limit) + " for " + too_many.whose;
}

TEST(GovernorJobs, WithoutJobsWantsNothing) {
  const World world;
  EXPECT_EQ(world.governor.goal(), std::nullopt);
  EXPECT_FALSE(world.governor.needs_samples());
  EXPECT_FALSE(world.governor.wants_sample_at(world.now));
  EXPECT_EQ(world.governor.next_deadline(), std::nullopt);
}

TEST(GovernorJobs, AStartedJobHasItsDecisionGoalAndEvent) {
  World world;
  JobSpec spec = wants_816;
  spec.name = "deberta";
  const JobId id = world.start(spec);
  EXPECT_EQ(world.governor.goal(), megahertz(816));
  EXPECT_TRUE(world.governor.needs_samples());
  EXPECT_TRUE(world.governor.wants_sample_at(world.now));
  const auto started = world.seen<JobStarted>();
  ASSERT_EQ(started.size(), 1u);
  EXPECT_EQ(started[0].job_id, id);
  EXPECT_EQ(started[0].name, "deberta");
  EXPECT_EQ(started[0].decision, world.decision(id));
  EXPECT_EQ(started[0].owner.uid, 1000u);
}

TEST(GovernorJobs, ABadSpecStartsNothing) {
  World world;
  EXPECT_EQ(refusal_of(world, {.layers = 0}), "layers");
  EXPECT_TRUE(world.governor.jobs().empty());
  EXPECT_TRUE(world.governor.take_events().empty());
}

TEST(GovernorJobs, RailsTheBoardLacksAreRefusedNamingThoseItHas) {
  World world;
  const auto started =
      world.governor.start({{.rails = std::vector<std::string>{"VDD_IN"}}, {1000, 1, "python3"}, world.now, {}});
  ASSERT_FALSE(started);
  const auto& problem = std::get<SpecProblem>(started.error());
  EXPECT_EQ(problem.field, "rails");
  EXPECT_THAT(problem.expected, HasSubstr("VDD_GPU_SOC"));
}

TEST(GovernorJobs, RailsAreNotRefusedWhileTheBoardsAreUnknown) {
  World world({}, BoardFacts{});
  EXPECT_EQ(refusal_of(world, {.rails = std::vector<std::string>{"VDD_IN"}}), "started");
}

TEST(GovernorJobs, IdsAscendAndAreNeverGivenTwice) {
  World world;
  const JobId first = world.start(wants_510);
  world.end(first);
  const JobId second = world.start(wants_510);
  EXPECT_EQ(refusal_of(world, {.layers = 0}), "layers");
  EXPECT_EQ(world.start(wants_510), second + 1);
  EXPECT_GT(second, first);
}

TEST(GovernorJobs, EachUserHasAQuotaOfItsOwn) {
  World world({.jobs_per_uid = 2});
  world.start(wants_510, 1000);
  const JobId second = world.start(wants_510, 1000);
  EXPECT_EQ(refusal_of(world, wants_510, 1000), "2 for uid 1000");
  EXPECT_EQ(refusal_of(world, wants_510, 1001), "started");
  world.sample();
  world.end(second);
  EXPECT_EQ(refusal_of(world, wants_510, 1000), "started");
}

TEST(GovernorJobs, JobsThatWaitForTheirLastSampleCountInTheirOwnersQuota) {
  World world({.jobs_per_uid = 1});
  world.governor.lose(world.start(wants_510), EndedBy::lost, world.now);
  EXPECT_EQ(refusal_of(world, wants_510), "1 for uid 1000") << "else one user could fill the daemon with ending jobs";
}

TEST(GovernorJobs, TheDaemonHasAQuotaForAll) {
  World world({.jobs_per_uid = 2, .jobs_in_all = 3});
  for (const std::uint32_t uid : {1000u, 1001u, 1002u}) world.start(wants_510, uid);
  EXPECT_EQ(refusal_of(world, wants_510, 1003), "3 for the daemon");
}

TEST(GovernorJobs, OnlyTheOwnerAndRootMayReportOrEnd) {
  World world;
  const JobId id = world.start(wants_510, 1000);
  EXPECT_EQ(world.governor.progress(id, 1, 1001, world.now), Governor::Refusal::not_your_job);
  EXPECT_EQ(world.governor.end(id, 1001, world.now), Governor::Refusal::not_your_job);
  EXPECT_EQ(world.job(id).steps, std::nullopt);
  EXPECT_EQ(world.governor.goal(), megahertz(510));
  EXPECT_EQ(world.governor.progress(id, 1, 0, world.now), std::nullopt);
  EXPECT_EQ(world.governor.end(id, 0, world.now), std::nullopt);
}

TEST(GovernorJobs, RootsJobsAreNotEverybodys) {
  World world;
  const JobId id = world.start(wants_510, 0);
  EXPECT_EQ(world.governor.end(id, 1000, world.now), Governor::Refusal::not_your_job);
}

TEST(GovernorJobs, UnknownAndEndingJobsAreNoSuchJob) {
  World world;
  EXPECT_EQ(world.governor.end(1, 1000, world.now), Governor::Refusal::no_such_job);
  const JobId id = world.start(wants_510);
  EXPECT_EQ(world.governor.end(id, 1000, world.now), std::nullopt);
  EXPECT_EQ(world.governor.end(id, 1000, world.now), Governor::Refusal::no_such_job);
  EXPECT_EQ(world.governor.progress(id, 5, 1000, world.now), Governor::Refusal::no_such_job);
  EXPECT_EQ(world.governor.progress(id + 1, 5, 1000, world.now), Governor::Refusal::no_such_job);
}

TEST(GovernorJobs, StepsNeverFallAndAreNotInvented) {
  World world;
  const JobId id = world.start(wants_510);
  for (const auto& [reported, kept] :
       {std::pair<int, std::optional<int>>{-5, std::nullopt}, {10, 10}, {7, 10}, {-1, 10}, {11, 11}}) {
    ASSERT_FALSE(world.governor.progress(id, reported, 1000, world.now));
    EXPECT_EQ(world.job(id).steps, kept);
  }
}

TEST(GovernorJobs, ZeroStepsAreAReport) {
  World world;
  const JobId id = world.start(wants_510);
  ASSERT_FALSE(world.governor.progress(id, 0, 1000, world.now));
  EXPECT_EQ(world.job(id).steps, 0);
}

TEST(GovernorEvents, ComeInTheOrderInWhichThingsHappenedAndOnlyOnce) {
  World world;
  const JobId id = world.start(wants_510);
  world.obey();
  world.sample();
  world.run_for(1);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  world.obey();
  world.now += seconds(0.1);
  world.sample();
  const std::vector<Event> events = world.governor.take_events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<JobStarted>(events[0]));
  EXPECT_TRUE(std::holds_alternative<ClockPinned>(events[1]));
  EXPECT_TRUE(std::holds_alternative<ClockRestored>(events[2]));
  EXPECT_TRUE(std::holds_alternative<JobEnded>(events[3]));
  EXPECT_TRUE(world.governor.take_events().empty());
}

TEST(GovernorGoal, FollowsTheArbitrationRuleAmongRunningJobs) {
  for (const auto& [rule, with_both] :
       {std::pair{Arbitration::highest, megahertz(816)}, std::pair{Arbitration::lowest, megahertz(510)},
        std::pair{Arbitration::newest, megahertz(510)}}) {
    World world({.arbitration = rule});
    world.start(wants_816);
    const JobId newest = world.start(wants_510);
    EXPECT_EQ(world.governor.goal(), with_both);
    ASSERT_FALSE(world.governor.end(newest, 1000, world.now));
    EXPECT_EQ(world.governor.goal(), megahertz(816));
  }
}

TEST(GovernorGoal, AJobUnderPolicyNoneDoesNotStandInTheWay) {
  World world;
  world.start(wants_no_clock);
  EXPECT_EQ(world.governor.goal(), std::nullopt);
  EXPECT_TRUE(world.governor.needs_samples());
  world.start(wants_510);
  world.start(wants_no_clock);
  EXPECT_EQ(world.governor.goal(), megahertz(510));
}

TEST(GovernorReconfigure, ArbitrationAppliesToAllAndThePolicyToJobsStartedFromNowOn) {
  World world;
  const JobId old = world.start(wants_816);
  GovernorSettings settings;
  settings.policy.policy = Policy::ffg;
  settings.arbitration = Arbitration::lowest;
  world.governor.reconfigure(settings);
  EXPECT_EQ(world.decision(old).policy, "mlg");
  const JobId young = world.start(wants_816);
  EXPECT_EQ(world.decision(young).policy, "ffg");
  EXPECT_EQ(world.governor.goal(), megahertz(612));
  world.become(agx_orin());
  EXPECT_EQ(world.decision(old).policy, "mlg") << "a new look at the board must not bring the new policy in";
}

TEST(GovernorExplain, AnswersWhatStartWouldAndChangesNothing) {
  World world;
  for (const JobSpec& spec : {wants_510, wants_816, wants_no_clock, JobSpec{}, JobSpec{.policy = "tree"}}) {
    const Decision explained = world.governor.explain(spec);
    EXPECT_TRUE(world.governor.jobs().empty());
    EXPECT_TRUE(world.governor.take_events().empty());
    const JobId id = world.start(spec);
    EXPECT_EQ(world.decision(id), explained);
    world.governor.interrupt_all(world.now);
    world.forget_events();
  }
}

}  // namespace
}  // namespace sweetspot
