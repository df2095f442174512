// SPDX-License-Identifier: Apache-2.0
#include "tests/system/scene.hpp"

// A read or write of the board that does not come back: the loop answers on, and what is owed is done afterwards.
namespace sweetspot::tests {
namespace {

constexpr const char* soon_blocked = R"({"clock": {"blocked_after_s": 0.5}, "last_sample_wait_s": 0.5})";
constexpr const char* gpu_rail = "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/in1_input";

class BlockedBoard : public SystemTest {
 protected:
  // A process in a blocked access cannot be killed: the board has to let go of it first.
  void TearDown() override {
    if (!IsSkipped()) board().unmount();
  }
};

/// Many GetStatus calls; none is held up by the board, which blocks for far longer.
void expect_prompt_answers(const RunningDaemon& daemon) {
  auto client = daemon.connect();
  Times times;
  for (int i = 0; i < 20; ++i) {
    const auto begin = Clock::now();
    (void)client.ask("GetStatus");
    times.add(Clock::now() - begin);
  }
  EXPECT_LE(milliseconds(times.middle()), 100 * slowness);
  EXPECT_LE(milliseconds(times.longest()), 1000 * slowness);
}

/// Each StartJob answers `pending` without waiting for the board.
void expect_pending_starts(VarlinkTestClient& client) {
  Times times;
  for (int i = 0; i < 9; ++i) {
    const auto begin = Clock::now();
    const json job = client.ask("StartJob", job_at(mhz(612)));
    times.add(Clock::now() - begin);
    EXPECT_EQ(job.at("state"), "pending");
    EXPECT_TRUE(job.at("applied_hz").is_null());
  }
  // 40 ms of it are the daemon's own patience; the rest is this machine's, which may be busy with other things.
  EXPECT_LE(milliseconds(times.shortest()), 50 * slowness);
}

TEST_F(BlockedBoard, AWriteThatHangsLeavesTheSocketAnsweringAndIsReported) {
  board().control("block min_freq write 30");
  {
    const RunningDaemon daemon(board().root(), {.config = soon_blocked});
    auto client = daemon.connect();
    expect_pending_starts(client);
    expect_prompt_answers(daemon);
    ASSERT_TRUE(health_becomes(daemon, "clock"));
    EXPECT_EQ(clock_condition(daemon), "blocked");
    EXPECT_EQ(daemon.status().at("jobs").size(), 9U);
    expect_prompt_answers(daemon);
    board().unmount();
  }
}

TEST_F(BlockedBoard, AReadThatHangsFromTheStartLeavesTheSocketAnswering) {
  board().control("block min_freq read 30");
  {
    const RunningDaemon daemon(board().root(), {.config = soon_blocked});
    auto client = daemon.connect();
    expect_pending_starts(client);
    ASSERT_TRUE(health_becomes(daemon, "clock"));
    expect_prompt_answers(daemon);
    board().unmount();
  }
}

TEST_F(BlockedBoard, IsReadyWhileItsFirstLookHangsAndAJobGetsItsClockAfterIt) {
  board().control("block min_freq read 6");
  const auto begin = Clock::now();
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json status = client.ask("GetStatus");
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_LT(milliseconds(Clock::now() - begin), 5000) << "too slow a machine to see it";
  EXPECT_TRUE(status.at("gpu").at("node").is_null());
  EXPECT_EQ(job.at("state"), "pending");
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
}

TEST_F(BlockedBoard, WhenTheBlockEndsThePinIsThereAndTheTroubleGone) {
  const RunningDaemon daemon(board().root(), {.config = soon_blocked});
  board().control("block min_freq write 4");
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(health_becomes(daemon, "clock"));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  EXPECT_TRUE(daemon.health().empty());
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_LT(record.at("share_at_clock"), 0.9);
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(BlockedBoard, AJobThatEndsWhileTheBoardBlocksIsAnsweredAtOnceAndItsClockGivenBackAfterwards) {
  const RunningDaemon daemon(board().root(), {.config = soon_blocked});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("block max_freq both 4");
  ASSERT_TRUE(health_becomes(daemon, "clock"));
  const auto begin = Clock::now();
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_LE(milliseconds(Clock::now() - begin), 1500 * slowness);
  EXPECT_EQ(record.at("applied_hz"), mhz(612));
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(health_loses(daemon, "clock"));
  EXPECT_TRUE(eventually([&] { return !daemon.has_saved_clock(); }));
}

TEST_F(BlockedBoard, SigtermEndsTheDaemonInTimeAndTheClockIsRestoredOnceTheBoardAnswers) {
  RunningDaemon daemon(board().root(), {.config = soon_blocked});
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  Watcher watcher(daemon);
  board().control("block max_freq both 15");
  ASSERT_TRUE(health_becomes(daemon, "clock"));
  daemon.signal(SIGTERM);
  // The thread inside the kernel cannot be killed by anybody; all else of the process is over.
  EXPECT_TRUE(eventually([&] { return daemon.main_thread_state() == 'Z'; }, std::chrono::seconds(6) * slowness));
  EXPECT_EQ(watcher.next("job_ended").at("record").at("ended_by"), "interrupted");
  EXPECT_NE(daemon.said().find("--restore"), std::string::npos) << daemon.said();
  EXPECT_EQ(daemon.ended_within(), std::optional(1));
  const ProgramEnd restored = daemon.restore();
  EXPECT_EQ(restored.status, 0) << restored.said;
  EXPECT_EQ(limits_of(board()), untouched);
}

TEST_F(BlockedBoard, APinStillUnderWayWhenTheDaemonEndsIsTakenBack) {
  RunningDaemon daemon(board().root(), {.config = soon_blocked});
  board().control("block min_freq write 8");
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(eventually([&] { return daemon.has_saved_clock(); }));
  daemon.signal(SIGTERM);
  EXPECT_TRUE(eventually([&] { return daemon.main_thread_state() == 'Z'; }, std::chrono::seconds(6) * slowness));
  EXPECT_NE(daemon.restore().status, 0) << "its thread still holds the lock and is about to write";
  ASSERT_TRUE(daemon.ended_within().has_value());
  EXPECT_EQ(daemon.restore().status, 0);
  EXPECT_EQ(limits_of(board()), untouched);
}

TEST_F(BlockedBoard, ARailThatHangsLeavesTheSocketAnsweringAndTheRecordSaysSo) {
  const RunningDaemon daemon(board().root(), {.config = soon_blocked});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control(std::string("block ") + gpu_rail + " read 6");
  ASSERT_TRUE(health_becomes(daemon, "sensor"));
  expect_prompt_answers(daemon);
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  ASSERT_TRUE(health_loses(daemon, "sensor"));
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_FALSE(record.at("energy_valid"));
  EXPECT_GE(record.at("longest_gap_s"), 4.0);
  EXPECT_GE(record.at("share_at_clock"), 0.9);
}

TEST_F(BlockedBoard, AJobThatStartsWhileARailHangsIsPendingAndPinned) {
  board().control(std::string("block ") + gpu_rail + " read 30");
  {
    const RunningDaemon daemon(board().root(), {.config = soon_blocked});
    auto client = daemon.connect();
    const json job = client.ask("StartJob", job_at(mhz(612)));
    EXPECT_EQ(job.at("state"), "pending");
    EXPECT_TRUE(limits_become(pinned_to(mhz(612))));
    const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
    EXPECT_TRUE(record.at("energy_j").is_null());
    EXPECT_FALSE(record.at("energy_valid"));
    EXPECT_TRUE(limits_become(untouched));
    board().unmount();
  }
}

TEST_F(BlockedBoard, SigtermEndsADaemonWhoseRailHangsWithTheClockRestored) {
  RunningDaemon daemon(board().root(), {.config = soon_blocked});
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  board().control(std::string("block ") + gpu_rail + " read 20");
  ASSERT_TRUE(health_becomes(daemon, "sensor"));
  daemon.signal(SIGTERM);
  EXPECT_TRUE(limits_become(untouched, std::chrono::seconds(2) * slowness));
  EXPECT_TRUE(eventually([&] { return daemon.main_thread_state() == 'Z'; }, std::chrono::seconds(6) * slowness));
  EXPECT_TRUE(daemon.ended_within().has_value());
  EXPECT_FALSE(daemon.has_saved_clock());
}

}  // namespace
}  // namespace sweetspot::tests
