// SPDX-License-Identifier: Apache-2.0
#include "tests/system/adaptive_scene.hpp"

// Policy adaptive as users have it: the board plays in real time, and all but the clock to start at is the default.
namespace sweetspot::tests {
namespace {

/// A job that names no features starts at the fixed clock, which here is far from any optimum.
constexpr const char* bad_start = R"({"ffg_clock": "1122MHz"})";
constexpr Clock::duration patiently = std::chrono::minutes(3);  // a third of it on a quiet machine

class AdaptiveInRealTime : public SystemTest {
 protected:
  /// Near the least, and it says that it looks no further.
  static bool is_settled(Training& job, const PublishedCurve& curve) {
    return excess(curve, job.clock()) < 0.05 && job.reason().find("no other clock is expected") != std::string::npos;
  }
  /// As the board counts them, whatever the daemon measures: joules of a step over the next seconds.
  double joules_per_step(Training& job, Clock::duration time) {
    const double joules = counted_joules();
    const std::int64_t steps = job.steps();
    job.train_for(time);
    return (counted_joules() - joules) / static_cast<double>(job.steps() - steps);
  }

 private:
  double counted_joules() {
    const json energy = board().truth().at("energy_j");
    return energy.at("VDD_GPU_SOC").get<double>() + energy.at("VDD_CPU_CV").get<double>();
  }
};

int since(Clock::time_point start) {
  return static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count());
}

bool said(const std::string& words, const RunningDaemon& daemon) {
  return daemon.said().find(words) != std::string::npos;
}

TEST_F(AdaptiveInRealTime, AJobOfAMinuteSavesMostOfWhatABadClockWouldWaste) {
  const RunningDaemon daemon(board().root(), {.config = bad_start});
  constexpr std::int64_t steps = 200;
  Training job(board(), daemon, adaptive_job(steps));
  ASSERT_EQ(job.clock(), mhz(1122));
  job.work_as("pythia-14m/qnli");
  ASSERT_TRUE(job.train_until([&] { return job.steps() >= steps; }, patiently));
  EXPECT_LT(excess(pythia, job.clock()), 0.05) << job.reason();
  const json record = job.end();
  const double least = pythia.least() / pythia.steps;
  EXPECT_LT(record.at("energy_j").get<double>() / static_cast<double>(job.steps()), 1.12 * least)
      << "1122 MHz costs 1.31 times the least: " << record;
  RecordProperty("seconds", static_cast<int>(record.at("duration_s").get<double>()));
  RecordProperty("reason", record.at("decision").at("reason").get<std::string>());
}

TEST_F(AdaptiveInRealTime, AnotherPhaseIsNoticedAndItsOwnClockFound) {
  const RunningDaemon daemon(board().root(), {.config = bad_start});
  Training job(board(), daemon, adaptive_job(600));
  job.work_as("pythia-14m/qnli");
  const auto start = Clock::now();
  ASSERT_TRUE(job.train_until([&] { return is_settled(job, pythia); }, patiently)) << job.reason();
  RecordProperty("seconds_to_settle", since(start));
  job.train_for(std::chrono::seconds(5));
  job.work_as("deberta-v2-xlarge/sst2");
  const auto changed = Clock::now();
  ASSERT_TRUE(job.train_until([&] { return job.reason().find("cost changed") != std::string::npos; }, patiently))
      << job.reason();
  RecordProperty("seconds_to_notice", since(changed));
  ASSERT_TRUE(job.train_until([&] { return is_settled(job, deberta); }, patiently)) << job.reason();
  RecordProperty("seconds_to_settle_again", since(changed));
  RecordProperty("reason", job.reason());
  EXPECT_TRUE(said("the job's cost changed", daemon)) << daemon.said();
}

// While a cap is in force a job that was let go, as for a try without a pin, is not pinned again: the cap holds the
// clock then.
TEST_F(AdaptiveInRealTime, UnderAThermalCapItRunsAtTheBestOfTheClocksThatAreLeft) {
  const RunningDaemon daemon(board().root(), {.config = bad_start});
  Training job(board(), daemon, adaptive_job(600));
  job.work_as("deberta-v2-xlarge/sst2");
  const auto start = Clock::now();
  ASSERT_TRUE(job.train_until([&] { return is_settled(job, deberta); }, patiently)) << job.reason();
  RecordProperty("seconds_to_settle", since(start));
  board().control("thermal cap 510000000");
  const auto capped = Clock::now();
  ASSERT_TRUE(job.train_until([&] { return job.clock() == mhz(510); }, patiently)) << daemon.said();
  RecordProperty("seconds_to_follow", since(capped));
  job.train_for(std::chrono::minutes(1));  // the clocks that are left are tried
  EXPECT_LE(job.clock(), mhz(510)) << job.reason();
  const double share = joules_per_step(job, std::chrono::seconds(30)) / (deberta.pinned[2] / deberta.steps);
  EXPECT_LT(share, 1.08) << "408 MHz costs 1.10 and 306 MHz 1.29 times what 510 MHz does: " << daemon.said();
  RecordProperty("share_of_510_mhz", std::to_string(share));
  RecordProperty("reason", job.reason());
  EXPECT_TRUE(said("caps the clock at 510 MHz", daemon) || said("a cooling device is active", daemon)) << daemon.said();
}

}  // namespace
}  // namespace sweetspot::tests
