// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/system/handover_scene.hpp"

// `systemctl restart` with a running job: the job, its clock and its connection pass to the next daemon.
namespace sweetspot::tests {
namespace {

using HandOver = HandOverTest;
using Ids = std::vector<std::int64_t>;

TEST_F(HandOver, ARestartKeepsTheJobItsConnectionAndItsClockWithoutAWriteToIt) {
  auto client = daemon().connect();
  const auto id = pinned_job(client, {{"name", "the long one"}});
  board().control("writes clear");
  const ProgramEnd stop_post = end_for("restart");
  EXPECT_NE(stop_post.said.find("stays pinned"), std::string::npos) << stop_post.said;
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  start_again();
  EXPECT_EQ(running_jobs(), Ids{id});
  ASSERT_TRUE(clock_becomes(daemon(), "pinned"));
  EXPECT_EQ(client.ask("ReportProgress", {{"job_id", id}, {"steps", 5}}), json::object());
  EXPECT_TRUE(board().writes().empty()) << "no release, no new pin";
  const json record = client.ask("EndJob", end_of(id)).at("record");
  EXPECT_EQ(record.at("ended_by"), "client");
  EXPECT_EQ(record.at("name"), "the long one");
  EXPECT_EQ(record.at("steps"), 5);
  EXPECT_EQ(record.at("applied_hz"), mhz(612));
  EXPECT_TRUE(limits_become(untouched)) << "what was found before the first daemon's pin";
  EXPECT_TRUE(eventually([&] { return !daemon().has_saved_clock(); }));
}

TEST_F(HandOver, TheMeterGoesOnAndTheTimeWithoutADaemonIsAGap) {
  manage(2056, R"({"sampling": {"period_ms": 20}})");
  const BoardLoad load(board(), "pythia-14m/qnli");
  auto client = daemon().connect();
  const auto id = pinned_job(client);
  const auto energy = [&] {
    const json job = daemon().status().at("jobs").at(0);
    return job.at("energy_j").is_null() ? 0.0 : job.at("energy_j").get<double>();
  };
  ASSERT_TRUE(eventually([&] { return energy() > 2; }));
  const auto down = Clock::now();
  (void)end_for("restart");
  ::poll(nullptr, 0, 300);
  start_again();
  const double missing_s = milliseconds(Clock::now() - down) / 1000;
  const double after_restart = energy();
  EXPECT_GT(after_restart, 2) << "what was measured stays measured";
  ASSERT_TRUE(eventually([&] { return energy() > after_restart + 2; })) << "and is added to";
  const json record = client.ask("EndJob", end_of(id)).at("record");
  const double duration = record.at("duration_s");
  const double coverage = record.at("coverage");
  const double gap = record.at("longest_gap_s");
  EXPECT_GE(gap, 0.3);
  EXPECT_LE(gap, missing_s + 0.5 * slowness);
  EXPECT_LE(coverage * duration, duration - gap + 0.1) << "nothing is counted for the gap";
  EXPECT_NEAR(record.at("energy_j").get<double>(), record.at("mean_power_w").get<double>() * coverage * duration,
              0.05 * record.at("energy_j").get<double>());
}

TEST_F(HandOver, AStopRestoresTheClockAndEndsTheJobs) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  Watcher watcher(daemon());
  EXPECT_EQ(end_for("stop").status, 0);
  EXPECT_EQ(watcher.next("job_ended").at("record").at("ended_by"), "interrupted");
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_TRUE(manager().stored_names().empty());
  EXPECT_TRUE(client.hung_up());
  start_again();
  EXPECT_EQ(running_jobs(), Ids{});
  EXPECT_FALSE(said("was lost"));
}

TEST_F(HandOver, ATerminationThatSystemdHasNoJobForIsAStop) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  (void)end_for("");
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_TRUE(client.hung_up());
}

TEST_F(HandOver, ABusThatDoesNotAnswerIsAStopToo) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  manager().fall_silent();
  const auto begin = Clock::now();
  EXPECT_EQ(daemon().terminate(), 0);
  EXPECT_LT(milliseconds(Clock::now() - begin), 10'000 * slowness);
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_TRUE(said("taken for a stop"));
}

TEST_F(HandOver, ARestartIntoADaemonThatCannotStartRestoresTheClock) {
  auto client = daemon().connect();
  const auto id = pinned_job(client);
  (void)end_for("restart");
  ASSERT_EQ(limits_of(board()), pinned_to(mhz(612)));
  daemon().configure("{ this is no configuration");
  manager().set_job("start");
  ASSERT_FALSE(daemon().try_start());
  EXPECT_NE(daemon().ended_within(), std::optional(0));
  EXPECT_EQ(daemon().restore().status, 0);
  EXPECT_EQ(limits_of(board()), untouched) << "the mark was used up";

  daemon().configure("{}");
  start_again();
  EXPECT_TRUE(limits_become(pinned_to(mhz(612)))) << "the job is still there, and so is its wish";
  EXPECT_EQ(client.ask("EndJob", end_of(id)).at("record").at("ended_by"), "client");
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(HandOver, AStopThatComesBetweenTheTwoHalvesOfARestartRestoresTheClock) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  manager().set_job("restart");
  EXPECT_EQ(daemon().terminate(), 0);
  manager().set_job("stop");
  const ProgramEnd stop_post = daemon().restore();
  EXPECT_EQ(stop_post.status, 0) << stop_post.said;
  EXPECT_EQ(limits_of(board()), untouched);
}

TEST_F(HandOver, TheMarkKeepsTheClockPinnedForOneLookOnly) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  EXPECT_NE(end_for("restart").said.find("stays pinned"), std::string::npos);
  const ProgramEnd second = daemon().restore();
  EXPECT_EQ(second.status, 0) << second.said;
  EXPECT_NE(second.said.find("restored"), std::string::npos) << second.said;
  EXPECT_EQ(limits_of(board()), untouched);
}

TEST_F(HandOver, AConnectionWithoutAJobIsNotKept) {
  auto idle = daemon().connect();
  auto client = daemon().connect();
  (void)idle.ask("GetStatus");
  (void)pinned_job(client);
  restart();
  EXPECT_TRUE(idle.hung_up());
  EXPECT_NO_THROW((void)client.ask("GetStatus"));
}

TEST_F(HandOver, ARestartWithoutAJobStoresNothing) {
  (void)end_for("restart");
  EXPECT_TRUE(manager().stored_names().empty());
  start_again();
  EXPECT_TRUE(board().writes().empty());
}

TEST_F(HandOver, RestartsFollowOneAnotherAndIdsAreNeverGivenTwice) {
  auto client = daemon().connect();
  Ids ids{pinned_job(client)};
  for (int i = 0; i < 3; ++i) {
    restart();
    EXPECT_TRUE(eventually([&] { return manager().stored_names().empty(); })) << "taken over, so not kept any longer";
    ids.push_back(client.ask("StartJob", job_at(mhz(510))).at("job_id"));
    EXPECT_GT(ids.back(), ids[ids.size() - 2]);
  }
  EXPECT_EQ(running_jobs(), ids);
}

TEST_F(HandOver, HalfAMessageIsCompletedForTheNextDaemon) {
  auto client = daemon().connect();
  const auto id = pinned_job(client);
  const std::string call =
      json({{"method", "io.sweetspotd.Governor.EndJob"}, {"parameters", end_of(id)}}).dump() + '\0';
  ASSERT_TRUE(client.send_bytes(call.substr(0, 20)));
  (void)daemon().status();  // by now it has been read
  (void)end_for("restart");
  ASSERT_TRUE(client.send_bytes(call.substr(20, 10)));
  start_again();
  ASSERT_TRUE(client.send_bytes(call.substr(30)));
  const auto reply = client.receive();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->at("parameters").at("record").at("job_id"), id) << *reply;
}

TEST_F(HandOver, ACallSentWhileNoDaemonRunsIsAnsweredByTheNext) {
  auto client = daemon().connect();
  const auto id = pinned_job(client);
  (void)end_for("restart");
  ASSERT_TRUE(client.send_call("ReportProgress", {{"job_id", id}, {"steps", 3}}));
  ASSERT_TRUE(client.send_call("EndJob", end_of(id)));
  start_again();
  EXPECT_TRUE(client.receive());
  const auto reply = client.receive();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->at("parameters").at("record").at("steps"), 3) << *reply;
}

TEST_F(HandOver, AnEndUnderWayAtTheSignalIsAnsweredAndLosesNothing) {
  for (int i = 0; i < 5; ++i) {
    auto other = daemon().connect();
    auto client = daemon().connect();
    const auto kept = pinned_job(other);
    const auto ending = client.ask("StartJob", job_at(mhz(816))).at("job_id").get<std::int64_t>();
    ASSERT_TRUE(client.send_call("EndJob", end_of(ending)));
    restart();
    const auto reply = client.receive();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->at("parameters").at("record").at("ended_by"), "client") << *reply;
    EXPECT_EQ(running_jobs(), Ids{kept});
    other.ask("EndJob", end_of(kept));
  }
}

TEST_F(HandOver, AJobThatBelongsToAProcessGoesOnUntilThatDies) {
  ChildProcess process([] { return std::string("lives"); });
  ASSERT_EQ(process.word(), "lives");
  (void)daemon().connect().ask("StartJob", job_at(mhz(612), {{"pid", process.pid()}}));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  restart();
  EXPECT_EQ(running_jobs().size(), 1U);
  process.kill();
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_EQ(running_jobs(), Ids{});
}

TEST_F(HandOver, ManyJobsOfManyConnectionsAllGoOn) {
  std::vector<VarlinkTestClient> clients;
  Ids ids;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(daemon().connect());
    for (int j = 0; j < 3; ++j) ids.push_back(clients.back().ask("StartJob", job_at(mhz(612))).at("job_id"));
  }
  restart();
  EXPECT_EQ(running_jobs(), ids);
  std::size_t next = 0;
  for (VarlinkTestClient& client : clients) {
    for (int j = 0; j < 3; ++j) {
      const json record = client.ask("EndJob", end_of(ids[next++])).at("record");
      EXPECT_EQ(record.at("shared_with"), static_cast<int>(ids.size()) - 1);
    }
  }
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(HandOver, TheSecondStageAndTheLeaseGoOn) {
  manage(2056, R"({"second_stage": {"settle_s": 0.5, "window_s": 1.0}})");
  auto client = daemon().connect();
  const json job = client.ask("StartJob", {{"spec", {{"layers", 6}, {"mean_sequence_length", 51}, {"lease_s", 30}}}});
  ASSERT_EQ(job.at("decision").at("frequency_hz"), mhz(612));
  ASSERT_TRUE(clock_becomes(daemon(), "pinned"));
  restart();
  const json shown = daemon().status().at("jobs").at(0);
  EXPECT_GT(shown.at("lease_left_s"), 0);
  EXPECT_LE(shown.at("lease_left_s"), 30);
  EXPECT_TRUE(limits_become(pinned_to(mhz(1020)))) << "an idle GPU is under the stage's limit";
}

TEST_F(HandOver, APowerModeChangedInBetweenIsAdoptedByTheNextDaemon) {
  auto client = daemon().connect();
  const auto id = pinned_job(client);
  (void)end_for("restart");
  board().control("power-mode 1");
  start_again();
  EXPECT_TRUE(limits_become(pinned_to(mhz(408))));
  const json record = client.ask("EndJob", end_of(id)).at("record");
  EXPECT_TRUE(limits_become({mhz(306), mhz(408)}));
  EXPECT_LT(record.at("share_at_clock").get<double>(), 1.0) << record;
}

}  // namespace
}  // namespace sweetspot::tests
