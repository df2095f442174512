// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "tests/system/scene.hpp"

// What the daemon does when the board refuses, or answers another thing than what was written.
namespace sweetspot::tests {
namespace {

using ClockFaults = SystemTest;

constexpr const char* four_attempts = R"({"clock": {"attempts": 4}})";

/// When each write of the daemon to that file was seen, until there are `count` of them.
std::vector<Clock::time_point> times_of_writes(const SimulatedBoard& board, const std::string& file,
                                               std::size_t count) {
  std::vector<Clock::time_point> times;
  const bool all = eventually([&] {
    const auto writes = board.writes();
    const auto seen = static_cast<std::size_t>(std::count_if(
        writes.begin(), writes.end(), [&](const SimulatedWrite& write) { return write.path.ends_with("/" + file); }));
    while (times.size() < seen) times.push_back(Clock::now());
    return times.size() >= count;
  });
  if (!all) times.clear();
  return times;
}

TEST_F(ClockFaults, ARefusedPinIsTriedAgainAfterOneTwoAndFourSecondsThenReleased) {
  board().control("write-error min_freq EIO");
  const RunningDaemon daemon(board().root(), {.config = four_attempts});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  EXPECT_EQ(job.at("state"), "pending");
  EXPECT_TRUE(job.at("applied_hz").is_null());

  const auto tries = times_of_writes(board(), "min_freq", 4);
  ASSERT_EQ(tries.size(), 4U);
  // Never earlier than promised; later only as far as the machine is slow.
  for (std::size_t i = 1; i < tries.size(); ++i) {
    const auto wait = std::chrono::duration<double>(tries[i] - tries[i - 1]).count();
    const double promised = static_cast<double>(1U << (i - 1));
    EXPECT_GE(wait, promised - 0.05) << "try " << i;
    EXPECT_LE(wait, promised + 0.9 * slowness) << "try " << i;
  }
  ASSERT_TRUE(clock_becomes(daemon, "gave_up"));
  EXPECT_NE(daemon.health().at("clock").find("4 attempts"), std::string::npos);
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_FALSE(daemon.has_saved_clock());
  EXPECT_TRUE(stays([&] { return board().writes().size() == 4; }, std::chrono::seconds(2)));

  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_TRUE(record.at("applied_hz").is_null());
  EXPECT_TRUE(record.at("share_at_clock").is_null());
  EXPECT_EQ(record.at("ended_by"), "client");
}

TEST_F(ClockFaults, ARefusalThatPassesCostsOnlyTheTimeUntilTheNextTry) {
  board().control("write-error max_freq EBUSY count=2");
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(health_becomes(daemon, "clock"));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  EXPECT_TRUE(daemon.health().empty());
  EXPECT_TRUE(stays([&] { return clock_condition(daemon) == "pinned"; }, std::chrono::milliseconds(1500)));

  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_EQ(record.at("applied_hz"), mhz(612));
  EXPECT_LT(record.at("share_at_clock"), 0.9);
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(ClockFaults, HalfAPinIsTakenBackWhenItIsGivenUp) {
  board().control("write-error max_freq EIO");
  const RunningDaemon daemon(board().root(), {.config = R"({"clock": {"attempts": 2}})"});
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "gave_up"));
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_EQ(daemon.status().at("jobs").size(), 1U);
}

TEST_F(ClockFaults, ARefusedReleaseIsTriedUntilItSucceeds) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  board().control("write-error max_freq EIO count=2");
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  EXPECT_TRUE(health_becomes(daemon, "clock"));
  EXPECT_TRUE(daemon.has_saved_clock());
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(health_loses(daemon, "clock"));
  EXPECT_FALSE(daemon.has_saved_clock());
}

TEST_F(ClockFaults, AGivenUpClockIsTriedAnewForTheNextJob) {
  board().control("write-error min_freq EIO");
  const RunningDaemon daemon(board().root(), {.config = R"({"clock": {"attempts": 1}})"});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "gave_up"));
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  board().control("clear all");
  client.ask("StartJob", job_at(mhz(612)));
  EXPECT_TRUE(limits_become(pinned_to(mhz(612))));
  EXPECT_TRUE(health_loses(daemon, "clock"));
}

TEST_F(ClockFaults, AReadBackBelowThePinIsKeptAndReportedAndCountedInTheRecord) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(408)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("thermal cap 510000000 state=0");  // a kernel cap that no cooling device owns up to
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "capped"));
  EXPECT_EQ(daemon.status().at("clock").at("applied_hz"), mhz(510));
  EXPECT_EQ(daemon.health().count("throttled"), 1U);
  board().control("writes clear");
  EXPECT_TRUE(stays([&] { return clock_condition(daemon) == "capped"; }, std::chrono::seconds(2)));
  EXPECT_TRUE(board().writes().empty()) << "a cap of the kernel's is not fought";
  board().control("thermal clear");
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));

  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_EQ(record.at("applied_hz"), mhz(510));
  EXPECT_GT(record.at("share_at_clock"), 0.4);
  EXPECT_LT(record.at("share_at_clock"), 1.0);
  client.close();
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(ClockFaults, LimitsThatReadAsAnotherProgramsAreReportedAndLeftAloneInTheEnd) {
  const RunningDaemon daemon(board().root(), {.config = R"({"clock": {"repins_per_minute": 2, "check_s": 0.2}})"});
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("writes clear");
  board().control("set max_freq 816000000");
  ASSERT_TRUE(clock_becomes(daemon, "lost"));
  EXPECT_EQ(daemon.health().count("rival"), 1U);
  ASSERT_TRUE(eventually([&] { return board().writes().size() >= 4; }));
  // Two pins of two writes each are the budget; the state stays reported.
  EXPECT_TRUE(stays([&] { return board().writes().size() == 4; }, std::chrono::seconds(3)));
  EXPECT_EQ(clock_condition(daemon), "lost");
}

TEST_F(ClockFaults, AClockThatDoesNotFollowItsLimitsIsReported) {
  const RunningDaemon daemon(board().root());
  const BoardLoad load(board(), "deberta-v2-xlarge/sst2");
  auto client = daemon.connect();
  board().control("clock stuck");
  const json job = client.ask("StartJob", job_at(mhz(408)));
  ASSERT_TRUE(clock_becomes(daemon, "not_obeyed"));
  EXPECT_EQ(daemon.health().count("clock"), 1U);
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(408)));
  board().control("clock follow");
  EXPECT_TRUE(clock_becomes(daemon, "pinned"));
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_LT(record.at("share_at_clock"), 1.0);
}

}  // namespace
}  // namespace sweetspot::tests
