// SPDX-License-Identifier: Apache-2.0
#include "tests/system/adaptive_scene.hpp"

// Policy adaptive as users have it: the board plays in real time, and all but the clock to start at is the default.
namespace sweetspot::testing {
namespace {

using AdaptiveInRealTime = SystemTest;

TEST_F(AdaptiveInRealTime, AJobOfAMinuteSavesMostOfWhatABadClockWouldWaste) {
  const RunningDaemon daemon(board().root(), {.config = R"({"ffg_clock": "1122MHz"})"});
  constexpr std::int64_t steps = 200;
  Training job(board(), daemon, adaptive_job(steps));
  ASSERT_EQ(job.clock(), mhz(1122));
  job.work_as("pythia-14m/qnli");
  ASSERT_TRUE(job.train_until([&] { return job.steps() >= steps; }, std::chrono::minutes(3)));
  EXPECT_LT(excess(pythia, job.clock()), 0.05) << job.reason();
  const json record = job.end();
  const double least = pythia.least() / pythia.steps;
  EXPECT_LT(record.at("energy_j").get<double>() / static_cast<double>(job.steps()), 1.12 * least)
      << "1122 MHz costs 1.31 times the least: " << record;
  RecordProperty("seconds", static_cast<int>(record.at("duration_s").get<double>()));
  RecordProperty("reason", record.at("decision").at("reason").get<std::string>());
}

}  // namespace
}  // namespace sweetspot::testing
