// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include "tests/system/adaptive_scene.hpp"
#include "tests/system/handover_scene.hpp"

// Policy adaptive on a mounted board: a job whose steps the board plays finds its own clock, and finds it again when
// its work or the board changes. The board plays ten times as fast as real time, so the windows are shorter, too.
namespace sweetspot::tests {
namespace {

constexpr const char* job_moved = "c56e6f3991014ce19dc2a1bc8795e83d";

/// A job that names no features starts at the fixed clock, which here is far from any optimum.
constexpr const char* quick = R"({"ffg_clock": "1122MHz",
  "adaptive": {"window_s": 0.3, "settle_s": 0.2},
  "sampling": {"period_ms": 10},
  "clock": {"check_s": 0.2}})";

class Adaptive : public SystemTest {
 protected:
  void SetUp() override {
    SystemTest::SetUp();
    if (!IsSkipped()) mount({"--time-scale", "10"});
  }
};

class AdaptiveRestart : public HandOverTest {
 protected:
  void SetUp() override {
    HandOverTest::SetUp();
    if (IsSkipped()) return;
    mount({"--time-scale", "10"});
    manage(2056, quick);
  }
};

TEST_F(Adaptive, AJobComesFromABadClockToOneNearItsOptimum) {
  const RunningDaemon daemon(board().root(), {.config = quick});
  Training job(board(), daemon, adaptive_job(3000));
  EXPECT_EQ(job.clock(), mhz(1122));
  job.work_as("pythia-14m/qnli");
  ASSERT_TRUE(job.train_until([&] { return job.steps() >= 600; }));
  EXPECT_TRUE(job.train_until([&] { return excess(pythia, job.clock()) < 0.05; })) << job.reason();
  const json record = job.end();
  const double at_1122 = 2663 / pythia.steps / 10;  // the same power for a tenth of the time
  EXPECT_LT(record.at("energy_j").get<double>() / static_cast<double>(job.steps()), 0.92 * at_1122) << record;
  EXPECT_EQ(record.at("decision").at("policy"), "adaptive");
  EXPECT_NE(record.at("decision").at("reason").get<std::string>().find("J/step"), std::string::npos);
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(Adaptive, AnotherPhaseOfTheWorkIsNoticedAndMeasuredAnew) {
  const RunningDaemon daemon(board().root(), {.config = quick});
  Training job(board(), daemon, adaptive_job(6000));
  job.work_as("pythia-14m/qnli");
  ASSERT_TRUE(job.train_until([&] { return excess(pythia, job.clock()) < 0.05; })) << job.reason();
  job.train_for(std::chrono::seconds(5));
  job.work_as("deberta-v2-xlarge/sst2");
  EXPECT_TRUE(job.train_until([&] {
    return excess(deberta, job.clock()) < 0.05 && job.reason().find("cost changed") != std::string::npos;
  })) << job.reason();
}

TEST_F(Adaptive, UnderAThermalCapItStaysWithinTheClocksThatAreLeft) {
  const RunningDaemon daemon(board().root(), {.config = quick});
  Training job(board(), daemon, adaptive_job(20000));
  job.work_as("deberta-v2-xlarge/sst2");
  ASSERT_TRUE(job.train_until([&] { return excess(deberta, job.clock()) < 0.05; })) << job.reason();
  board().control("thermal cap 510000000");
  ASSERT_TRUE(job.train_until([&] { return job.reason().find("heat caps the GPU") != std::string::npos; }))
      << job.reason();
  EXPECT_TRUE(job.train_until([&] { return job.clock() == mhz(510) && clock_condition(daemon) == "pinned"; }))
      << job.reason();
}

TEST_F(AdaptiveRestart, TheNextDaemonGoesOnAtTheClockThatWasFound) {
  Training job(board(), daemon(), adaptive_job(6000));
  job.work_as("pythia-14m/qnli");
  ASSERT_TRUE(job.train_until([&] { return excess(pythia, job.clock()) < 0.05; })) << job.reason();
  const std::uint64_t found = job.clock();
  restart();
  EXPECT_EQ(job.clock(), found);
  EXPECT_NE(job.reason().find("the daemon was restarted and measures anew from here"), std::string::npos)
      << job.reason();
  EXPECT_TRUE(job.train_until([&] { return !job.shown().at("measured").empty(); })) << job.reason();
}

TEST_F(Adaptive, TheNextJobLikeItStartsWhereItStayedEvenUnderAnotherDaemon) {
  RunningDaemon daemon(board().root(), {.config = quick});
  json spec = adaptive_job(3000);
  spec["layers"] = 6;  // with no length: the tree cannot answer
  {
    Training job(board(), daemon, spec);
    ASSERT_EQ(job.clock(), mhz(1122));
    job.work_as("pythia-14m/qnli");
    ASSERT_TRUE(job.train_until([&] { return excess(pythia, job.clock()) < 0.05; })) << job.reason();
    job.train_for(std::chrono::seconds(2));
    static_cast<void>(job.end());
  }
  const std::string kept = daemon.state_dir() + "/profiles.json";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(kept); }));
  std::ifstream file(kept);
  const json profiles = json::parse(file);
  ASSERT_EQ(profiles.at("profiles").size(), 1U) << profiles;
  const std::uint64_t found = profiles.at("profiles")[0].at("clock_hz");
  EXPECT_LT(excess(pythia, found), 0.05);
  ASSERT_EQ(daemon.terminate(), 0);
  daemon.start();
  Training next(board(), daemon, spec);
  EXPECT_EQ(next.clock(), found);
  EXPECT_NE(next.reason().find("where the last job like it stayed"), std::string::npos) << next.reason();
}

TEST_F(Adaptive, TheJournalTellsEveryMoveWithWhatWasMeasured) {
  std::optional<RunningDaemon> daemon;
  try {
    daemon.emplace(board().root(), DaemonSetup{.config = quick, .own_journal = true});
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()).find(no_own_run) == std::string_view::npos) throw;
    GTEST_SKIP() << no_own_run;
  }
  Training job(board(), *daemon, adaptive_job(3000));
  job.work_as("pythia-14m/qnli");
  ASSERT_TRUE(job.train_until([&] { return excess(pythia, job.clock()) < 0.05; })) << job.reason();
  std::map<std::string, std::string> first;
  ASSERT_TRUE(eventually([&] {
    for (const auto& entry : daemon->journal()) {
      if (first.empty() && entry.count("MESSAGE_ID") && entry.at("MESSAGE_ID") == job_moved) first = entry;
    }
    return !first.empty();
  }));
  EXPECT_EQ(first.at("SWEETSPOT_FROM_HZ"), "1122000000");
  EXPECT_EQ(first.at("SWEETSPOT_MEASURED").substr(0, 11), "1122000000:");
  EXPECT_EQ(first.at("MESSAGE").substr(0, 27), "job 1 moves from 1122 MHz t") << first.at("MESSAGE");
}

}  // namespace
}  // namespace sweetspot::tests
