// SPDX-License-Identifier: Apache-2.0
#include "tests/system/scene.hpp"

// Rails that cannot be read: the clock stays, the job runs, the record says what was not measured.
namespace sweetspot::tests {
namespace {

using Sensor = SystemTest;

constexpr const char* quick_samples = R"({"sampling": {"period_ms": 20, "longest_step_s": 0.2}})";

void run_for(const SimulatedBoard& board, double seconds) {
  const double until = board.truth().at("time_s").get<double>() + seconds;
  ASSERT_TRUE(eventually([&] { return board.truth().at("time_s").get<double>() >= until; }));
}

TEST_F(Sensor, ARailThatFailsForAWhileIsAGapInTheRecordAndToldWhenItGoesAndComesBack) {
  const RunningDaemon daemon(board().root(), {.config = quick_samples});
  Watcher watcher(daemon);
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  run_for(board(), 0.5);
  board().control("sensor error VDD_GPU_SOC EIO");
  const json lost = watcher.next("trouble_began");
  EXPECT_EQ(lost.at("reason"), "sensor");
  EXPECT_NE(lost.at("detail").get<std::string>().find("VDD_GPU_SOC"), std::string::npos);
  run_for(board(), 1);
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  board().control("sensor clear VDD_GPU_SOC");
  EXPECT_EQ(watcher.next("trouble_ended").at("reason"), "sensor");
  run_for(board(), 0.5);

  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_FALSE(record.at("energy_valid"));
  EXPECT_LT(record.at("coverage"), 0.9);
  EXPECT_GT(record.at("coverage"), 0.1);
  EXPECT_GE(record.at("longest_gap_s"), 0.9);
  EXPECT_GT(record.at("energy_j"), 0.0);
}

TEST_F(Sensor, ARailThatNeverAnswersIsNotMeasuredRatherThanZero) {
  board().control("sensor error VDD_GPU_SOC EIO");
  const RunningDaemon daemon(board().root(), {.config = quick_samples});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  run_for(board(), 0.3);
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_TRUE(record.at("energy_j").is_null());
  EXPECT_TRUE(record.at("mean_power_w").is_null());
  EXPECT_FALSE(record.at("energy_valid"));
  for (const json& rail : record.at("rails"))
    EXPECT_EQ(rail.at("energy_j").is_null(), rail.at("name") == "VDD_GPU_SOC") << rail;
}

TEST_F(Sensor, ARailThatIsNotCountedDoesNotSpoilTheSum) {
  board().control("sensor error VIN_SYS_5V0 EREMOTEIO");
  const RunningDaemon daemon(board().root(), {.config = quick_samples});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  run_for(board(), 1);
  EXPECT_EQ(daemon.health().count("sensor"), 1U);
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_GT(record.at("energy_j"), 0.0);
  EXPECT_GT(record.at("coverage"), 0.5);
}

TEST_F(Sensor, RailsThatAreBoundAnewUnderOtherNumbersAreFoundAgain) {
  const RunningDaemon daemon(board().root(), {.config = quick_samples});
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  run_for(board(), 0.5);
  board().control("hwmon renumber");
  run_for(board(), 1.5);
  EXPECT_EQ(daemon.health().count("sensor"), 0U);
  const json record = client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
  EXPECT_GT(record.at("energy_j"), 0.0);
  EXPECT_GT(record.at("coverage"), 0.5);
}

}  // namespace
}  // namespace sweetspot::tests
