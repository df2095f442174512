// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/system/scene.hpp"

// The board changes under a running job: its GPU node, its power mode, its heat, its other writers.
namespace sweetspot::tests {
namespace {

using ClockChanges = SystemTest;

constexpr const char* quick_checks = R"({"clock": {"check_s": 0.2, "repins_per_minute": 3}})";

json end_of(VarlinkTestClient& client, const json& job) {
  return client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
}

std::size_t own_writes(const SimulatedBoard& board) {
  const auto writes = board.writes();
  return static_cast<std::size_t>(std::count_if(
      writes.begin(), writes.end(), [](const SimulatedWrite& write) { return write.program == "sweetspotd"; }));
}

TEST_F(ClockChanges, AJobRunsWithoutAGpuNodeAndIsPinnedWhenOneAppears) {
  mount({"--fault", "gpu vanish"});
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  EXPECT_EQ(job.at("state"), "pending");
  EXPECT_TRUE(job.at("applied_hz").is_null());
  EXPECT_EQ(daemon.health().count("gpu_not_ready"), 1U);
  board().control("gpu appear");
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  EXPECT_EQ(daemon.health().count("gpu_not_ready"), 0U);
  const json record = end_of(client, job);
  EXPECT_EQ(record.at("applied_hz"), mhz(612));
  EXPECT_LT(record.at("share_at_clock"), 1.0);
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(ClockChanges, ANodeThatVanishesUnderAJobIsPinnedAgainWhenItIsBack) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("gpu vanish");
  ASSERT_TRUE(health_becomes(daemon, "gpu_not_ready"));
  EXPECT_EQ(daemon.status().at("jobs").size(), 1U);
  board().control("gpu appear");
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  EXPECT_LT(end_of(client, job).at("share_at_clock"), 1.0);
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(eventually([&] { return !daemon.has_saved_clock(); }));
}

TEST_F(ClockChanges, AJobThatEndsWhileTheNodeIsGoneLeavesNothingBehind) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("gpu vanish");
  ASSERT_TRUE(health_becomes(daemon, "gpu_not_ready"));
  (void)end_of(client, job);
  board().control("gpu appear");
  ASSERT_TRUE(clock_becomes(daemon, "released"));
  EXPECT_EQ(limits_of(board()), untouched);
  const json next = client.ask("StartJob", job_at(mhz(510)));
  EXPECT_TRUE(limits_become(pinned_to(mhz(510))));
  (void)end_of(client, next);
  EXPECT_TRUE(limits_become(untouched));
}

struct ModeCase {
  std::uint64_t asked;
  int mode;
  const char* name;
  std::uint64_t cap;
};
void PrintTo(const ModeCase& mode, std::ostream* out) {
  *out << mode.asked << " Hz in " << mode.name;
}

class PowerModeChange : public SystemTest, public ::testing::WithParamInterface<ModeCase> {};

TEST_P(PowerModeChange, IsAdoptedPinnedWithinAndWhatTheEndRestores) {
  const ModeCase mode = GetParam();
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mode.asked));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("writes clear");
  board().control("power-mode " + std::to_string(mode.mode));
  const std::uint64_t within = std::min(mode.asked, mode.cap);
  ASSERT_TRUE(eventually([&] { return own_writes(board()) > 0 && limits_of(board()) == pinned_to(within); }));
  ASSERT_TRUE(eventually([&] { return daemon.status().at("power_mode") == mode.name; }));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  const json status = daemon.status();
  EXPECT_EQ(status.at("clock").at("applied_hz"), within);
  const json record = end_of(client, job);
  EXPECT_EQ(record.at("power_mode"), mode.name);
  EXPECT_EQ(record.at("decision").at("clamped_from_hz"), within == mode.asked ? json() : json(mode.asked)) << record;
  EXPECT_TRUE(limits_become({mhz(306), mode.cap})) << limits_of(board());
  EXPECT_TRUE(stays([&] { return limits_of(board()) == Limits{mhz(306), mode.cap}; }, std::chrono::milliseconds(300)));
}

INSTANTIATE_TEST_SUITE_P(
    Caps, PowerModeChange,
    ::testing::Values(ModeCase{mhz(1020), 2, "MODE_30W", mhz(612)}, ModeCase{mhz(510), 3, "MODE_50W", mhz(816)},
                      ModeCase{mhz(612), 2, "MODE_30W", mhz(612)}, ModeCase{mhz(306), 1, "MODE_15W", mhz(408)}),
    [](const auto& one) { return std::to_string(one.param.asked / mhz(1)) + "MHzIn" + one.param.name; });

TEST_F(ClockChanges, AThermalCapIsReportedNotFoughtAndComesBackByItself) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  Watcher watcher(daemon);
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(1020)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("writes clear");
  board().control("thermal cap 612000000 state=3");
  const json told = watcher.next("throttled");
  EXPECT_NE(told.at("detail").get<std::string>().find("612"), std::string::npos) << told;
  EXPECT_TRUE(stays([&] { return clock_condition(daemon) == "capped"; }, std::chrono::seconds(1)));
  board().control("thermal clear steps=3 every=0.3");
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(1020)));
  EXPECT_TRUE(board().writes().empty());
  (void)end_of(client, job);
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(ClockChanges, AJobThatEndsUnderAThermalCapLeavesTheLimitsAsTheyWere) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(1020)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("thermal cap 612000000");
  ASSERT_TRUE(clock_becomes(daemon, "capped"));
  (void)end_of(client, job);
  board().control("thermal clear");
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(eventually([&] { return !daemon.has_saved_clock(); }));
}

TEST_F(ClockChanges, ACapThatIsThereBeforeTheJobIsWaitedForBecauseItHidesWhatToRestore) {
  board().control("thermal cap 612000000");
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(510)));
  ASSERT_TRUE(clock_becomes(daemon, "waiting"));
  EXPECT_EQ(own_writes(board()), 0U);
  board().control("thermal clear");
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  (void)end_of(client, job);
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(ClockChanges, ARivalsWriteIsReportedAndTheClockPinnedAgain) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  Watcher watcher(daemon);
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("rival min=408000000 max=1020000000");
  const json told = watcher.next("clock_lost");
  EXPECT_NE(told.at("detail").get<std::string>().find("408"), std::string::npos) << told;
  EXPECT_TRUE(limits_become(pinned_to(mhz(612))));
  EXPECT_EQ(watcher.next("clock_pinned").at("clock_hz"), mhz(612));
  EXPECT_LT(end_of(client, job).at("share_at_clock"), 1.0);
  // What the rival asked for last is what the next program finds.
  EXPECT_TRUE(limits_become({mhz(408), mhz(1020)}));
}

TEST_F(ClockChanges, ARivalThatKeepsWritingIsPinnedAgainThreeTimesAMinuteThenLeftAlone) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("writes clear");
  board().control("rival min=408000000 max=1020000000 every=0.3");
  ASSERT_TRUE(eventually([&] { return own_writes(board()) >= 6; }));
  EXPECT_TRUE(stays([&] { return own_writes(board()) == 6; }, std::chrono::seconds(3)));
  EXPECT_EQ(daemon.health().count("rival"), 1U);
  EXPECT_EQ(clock_condition(daemon), "lost");
  client.close();
  ASSERT_TRUE(eventually([&] { return daemon.status().at("jobs").empty(); }));
  board().control("rival stop");
  EXPECT_TRUE(eventually([&] { return !daemon.has_saved_clock(); }));
  EXPECT_EQ(limits_of(board()), (Limits{mhz(408), mhz(1020)}));
}

TEST_F(ClockChanges, AChangedGovernorIsReportedAndNeverWritten) {
  const RunningDaemon daemon(board().root(), {.config = quick_checks});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "pinned"));
  board().control("governor performance");
  EXPECT_TRUE(eventually([&] { return daemon.status().at("gpu").at("governor") == "performance"; }));
  EXPECT_TRUE(eventually([&] { return daemon.said().find("performance") != std::string::npos; }));
  (void)end_of(client, job);
  EXPECT_TRUE(limits_become(untouched));
  const auto writes = board().writes();
  EXPECT_TRUE(std::none_of(writes.begin(), writes.end(), [](const SimulatedWrite& write) {
    return write.program == "sweetspotd" && write.path.ends_with("/governor");
  }));
}

}  // namespace
}  // namespace sweetspot::tests
