// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "places.hpp"
#include "tests/system/scene.hpp"

// What the daemon tells the journal and systemd.
namespace sweetspot::tests {
namespace {

using Entry = std::map<std::string, std::string>;

// The ids that documentation and catalog name; an id never changes its meaning.
constexpr const char* job_started = "9fbd8d8e25ac4c0c992db0e173ca0f5b";
constexpr const char* job_ended = "1ef453e41e594970903b4fbb2b78122e";
constexpr const char* clock_pinned = "7fa2433023bf4ed1b70dd8ec1f1387f2";
constexpr const char* clock_lost = "16843f9911ba4964b48fb030772740ff";
constexpr const char* clock_restored = "abca0ba52fd946f3916287a536622fc2";
constexpr const char* throttled = "550ac9a3cb3c4336a1d259a0716f897b";
constexpr const char* rails = "037e4b5443354643a19fd1a31e5f3800";
constexpr const char* job_lost = "17c9c52f39024044a70479646b0d0a1c";
constexpr const char* sensor_lost = "07d3ca9e6c1b40cd9bcaa18ee28c92b3";
constexpr const char* sensor_back = "96a3d3caecdd4781a200a3bce78d1ea1";

class Journal : public SystemTest {
 protected:
  void SetUp() override {
    SystemTest::SetUp();
    if (IsSkipped()) return;
    try {
      daemon_ = std::make_unique<RunningDaemon>(
          board().root(),
          DaemonSetup{.config = R"({"log_samples_s": 1, "clock": {"check_s": 0.2}})", .own_journal = true});
    } catch (const std::runtime_error& error) {
      if (std::string_view(error.what()).find(no_own_run) == std::string_view::npos) throw;
      GTEST_SKIP() << no_own_run;
    }
  }
  [[nodiscard]] RunningDaemon& daemon() { return *daemon_; }

  /// The first entry with that id, once it is there.
  [[nodiscard]] Entry entry(const std::string& id) {
    Entry found;
    EXPECT_TRUE(eventually([&] {
      for (Entry& one : daemon().journal()) {
        if (one["MESSAGE_ID"] != id) continue;
        found = std::move(one);
        return true;
      }
      return false;
    })) << "no entry "
        << id;
    return found;
  }

 private:
  std::unique_ptr<RunningDaemon> daemon_;
};

TEST_F(Journal, AJobIsToldFromStartToEndWithEverythingItsRecordSays) {
  auto client = daemon().connect();
  const json job = client.ask("StartJob", job_at(mhz(612), {{"name", "lora"}, {"total_steps", 10}}));
  const std::string id = std::to_string(job.at("job_id").get<int>());
  EXPECT_EQ(entry(job_started)["SWEETSPOT_JOB_ID"], id);
  EXPECT_EQ(entry(clock_pinned)["SWEETSPOT_APPLIED_HZ"], "612000000");
  client.ask("ReportProgress", {{"job_id", job.at("job_id")}, {"steps", 10}});
  ASSERT_TRUE(eventually([&] { return !daemon().status().at("jobs").at(0).at("energy_j").is_null(); }));
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  Entry ended = entry(job_ended);
  EXPECT_EQ(ended["SYSLOG_IDENTIFIER"], "sweetspotd");
  EXPECT_EQ(ended["SWEETSPOT_JOB_ID"], id);
  EXPECT_EQ(ended["SWEETSPOT_NAME"], "lora");
  EXPECT_EQ(ended["SWEETSPOT_STEPS"], "10");
  EXPECT_EQ(ended["SWEETSPOT_ENDED_BY"], "client");
  EXPECT_EQ(ended["SWEETSPOT_PID"], std::to_string(::getpid()));
  EXPECT_DOUBLE_EQ(std::stod(ended["SWEETSPOT_ENERGY_J"]), record.at("energy_j").get<double>());
  EXPECT_DOUBLE_EQ(std::stod(ended["SWEETSPOT_COVERAGE"]), record.at("coverage").get<double>());
  EXPECT_EQ(ended["SWEETSPOT_RAILS_COUNTED"], "VDD_GPU_SOC VDD_CPU_CV");
  EXPECT_EQ(ended.count("SWEETSPOT_RAIL_VIN_SYS_5V0_J"), 1U);
  EXPECT_EQ(entry(clock_restored)["PRIORITY"], "6");
}

TEST_F(Journal, ARecordFieldThatWasNotMeasuredIsLeftOutRatherThanZero) {
  board().control("sensor error VDD_GPU_SOC EIO");
  auto client = daemon().connect();
  const json job = client.ask("StartJob", {{"spec", {{"policy", "none"}}}});
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  Entry ended = entry(job_ended);
  EXPECT_EQ(ended.count("SWEETSPOT_ENERGY_J"), 0U);
  EXPECT_EQ(ended.count("SWEETSPOT_APPLIED_HZ"), 0U);
  EXPECT_EQ(ended["SWEETSPOT_ENERGY_VALID"], "0");
}

TEST_F(Journal, TheRailsAreLoggedWhileAJobRunsAndNotAfterwards) {
  auto client = daemon().connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  const auto count = [&] {
    const auto all = daemon().journal();
    return std::count_if(all.begin(), all.end(), [](const Entry& one) { return one.at("MESSAGE_ID") == rails; });
  };
  ASSERT_TRUE(eventually([&] { return count() >= 2; }));
  EXPECT_GT(std::stod(entry(rails)["SWEETSPOT_RAIL_VDD_GPU_SOC_MW"]), 0);
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  const auto then = count();
  EXPECT_TRUE(stays([&] { return count() == then; }, std::chrono::milliseconds(2500)));
}

TEST_F(Journal, LostThrottledAndSensorTroublesAreTold) {
  auto client = daemon().connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon(), "pinned"));
  board().control("rival min=408000000 max=1020000000");
  EXPECT_NE(entry(clock_lost)["MESSAGE"].find("1020"), std::string::npos);
  ASSERT_TRUE(clock_becomes(daemon(), "pinned"));
  board().control("thermal cap 408000000");
  EXPECT_EQ(entry(throttled)["PRIORITY"], "4");
  board().control("thermal clear");
  board().control("sensor error VDD_CPU_CV EIO");
  EXPECT_NE(entry(sensor_lost)["MESSAGE"].find("VDD_CPU_CV"), std::string::npos);
  board().control("sensor clear VDD_CPU_CV");
  EXPECT_FALSE(entry(sensor_back).empty());
}

TEST_F(Journal, TheNextStartTellsOfLostJobsAndOfTheClockGivenBack) {
  auto client = daemon().connect();
  client.ask("StartJob", job_at(mhz(612), {{"name", "the lost one"}}));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon().kill();
  daemon().start();
  EXPECT_NE(entry(job_lost)["MESSAGE"].find("the lost one"), std::string::npos);
  EXPECT_NE(entry(clock_restored)["MESSAGE"].find("max_freq"), std::string::npos) << entry(clock_restored)["MESSAGE"];
}

TEST_F(Journal, EveryEntryHasAnIdThatTheCatalogExplains) {
  auto client = daemon().connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon(), "pinned"));
  board().control("thermal cap 408000000");
  (void)entry(throttled);
  board().control("thermal clear");
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  (void)entry(clock_restored);
  std::ifstream file(std::string(SWEETSPOT_SOURCE_DIR) + "/systemd/sweetspotd.catalog");
  std::ostringstream catalog;
  catalog << file.rdbuf();
  std::set<std::string> ids;
  for (Entry& one : daemon().journal()) {
    const std::string& id = one["MESSAGE_ID"];
    EXPECT_EQ(id.size(), 32U) << one["MESSAGE"];
    EXPECT_NE(catalog.str().find("-- " + id), std::string::npos) << one["MESSAGE"];
    EXPECT_FALSE(one["MESSAGE"].empty());
    ids.insert(id);
  }
  EXPECT_GE(ids.size(), 5U);
}

TEST_F(Journal, AProcessNameCannotForgeFields) {
  ChildProcess client([socket = daemon().socket()] {
    ::prctl(PR_SET_NAME, "x\nPRIORITY=0");
    auto* connection = new VarlinkTestClient(socket);
    return connection->ask("StartJob", job_at(mhz(612))).dump();
  });
  Entry started = entry(job_started);
  EXPECT_EQ(started["PRIORITY"], "6");
  EXPECT_EQ(started["SWEETSPOT_COMM"], "x\nPRIORITY=0");
}

using Notify = SystemTest;

std::size_t told(const RunningDaemon& daemon, const std::string& line) {
  const auto all = daemon.notifications();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const std::string& text) {
    return ("\n" + text + "\n").find("\n" + line + "\n") != std::string::npos;
  }));
}

TEST_F(Notify, SystemdHearsOfReadinessStateAndStop) {
  RunningDaemon daemon(board().root());
  EXPECT_EQ(told(daemon, "READY=1"), 1U);
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  EXPECT_TRUE(eventually([&] { return told(daemon, "STATUS=1 job, clock pinned at 612 MHz") == 1; }))
      << daemon.notifications().back();
  EXPECT_EQ(daemon.terminate(), 0);
  EXPECT_EQ(told(daemon, "STOPPING=1"), 1U);
}

TEST_F(Notify, TheWatchdogIsFedEvenWhileTheBoardBlocks) {
  {
    RunningDaemon daemon(board().root(), {.environment = {"WATCHDOG_USEC=400000"}});
    ASSERT_TRUE(eventually([&] { return told(daemon, "WATCHDOG=1") >= 3; }));
    board().control("block min_freq both 30");
    auto client = daemon.connect();
    client.ask("StartJob", job_at(mhz(612)));
    const std::size_t before = told(daemon, "WATCHDOG=1");
    EXPECT_TRUE(eventually([&] { return told(daemon, "WATCHDOG=1") >= before + 5; }));
    board().unmount();
  }
}

TEST_F(Notify, WithoutAWatchdogNoPingIsSent) {
  const RunningDaemon daemon(board().root());
  EXPECT_TRUE(stays([&] { return told(daemon, "WATCHDOG=1") == 0; }, std::chrono::seconds(1)));
}

}  // namespace
}  // namespace sweetspot::tests
