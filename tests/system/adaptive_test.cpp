// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "tests/system/handover_scene.hpp"
#include "tests/system/scene.hpp"

// Policy adaptive on a mounted board: a job whose steps the board plays finds its own clock, and finds it again when
// its work or the board changes. The board plays ten times as fast as real time, so the windows are shorter, too.
namespace sweetspot::testing {
namespace {

constexpr Clock::duration long_enough = std::chrono::seconds(90);  // a quarter of it on a quiet machine
constexpr const char* job_moved = "c56e6f3991014ce19dc2a1bc8795e83d";

/// A job that names no features starts at the fixed clock, which here is far from any optimum.
constexpr const char* quick = R"({"ffg_clock": "1122MHz",
  "adaptive": {"window_s": 0.3, "settle_s": 0.2},
  "sampling": {"period_ms": 10},
  "clock": {"check_s": 0.2}})";

/// Published joules of the whole job at each clock; the board plays them.
constexpr std::array<std::uint64_t, 11> clocks{306, 408, 510, 612, 714, 816, 918, 1020, 1122, 1224, 1300};
constexpr std::array<double, 11> pythia{2108, 2027, 2032, 2070, 2099, 2254, 2362, 2531, 2663, 2704, 2864};
constexpr std::array<double, 11> deberta{55292, 47512, 43026, 41044, 40927, 40982, 42053, 44379, 46298, 49987, 52476};

double excess(const std::array<double, 11>& curve, std::uint64_t clock_hz) {
  const auto found = std::find(clocks.begin(), clocks.end(), clock_hz / 1'000'000);
  if (found == clocks.end()) return 1;
  return curve[static_cast<std::size_t>(found - clocks.begin())] / *std::min_element(curve.begin(), curve.end()) - 1;
}

/// A training process: the board plays its steps, and it reports them.
class Training {
 public:
  Training(const SimulatedBoard& board, const RunningDaemon& daemon, const json& spec)
      : control_(::open((board.root() + "/control").c_str(), O_RDWR | O_CLOEXEC)), client_(daemon.connect()) {
    job_ = client_.ask("StartJob", {{"spec", spec}}).at("job_id");
  }
  ~Training() { ::close(control_); }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// From now on its steps are of this workload.
  void work_as(const std::string& workload) {
    if (working_) say("load end");
    before_ = reported_;
    say("load start " + workload + " steps=1000000");
    working_ = true;
  }
  /// Trains until the condition holds; false when it never did.
  template <class Condition>
  [[nodiscard]] bool train_until(Condition&& holds, Clock::duration limit = long_enough) {
    return eventually(
        [&] {
          report();
          return holds();
        },
        limit);
  }
  void train_for(Clock::duration time) {
    const auto end = Clock::now() + time;
    EXPECT_TRUE(train_until([&] { return Clock::now() >= end; }, 2 * time));
  }
  [[nodiscard]] json shown() {
    const json status = client_.ask("GetStatus");
    for (const json& job : status.at("jobs")) {
      if (job.at("job_id") == job_) return job;
    }
    return {};
  }
  /// 0: not pinned.
  [[nodiscard]] std::uint64_t clock() {
    const json at = shown().at("decision").at("frequency_hz");
    return at.is_null() ? 0 : at.get<std::uint64_t>();
  }
  [[nodiscard]] std::string reason() { return shown().at("decision").at("reason"); }
  [[nodiscard]] json end() { return client_.ask("EndJob", {{"job_id", job_}}).at("record"); }

 private:
  void say(const std::string& line) const {
    if (::write(control_, line.data(), line.size()) < 0) throw std::system_error(errno, std::generic_category(), line);
  }
  void report() {
    std::array<char, 128> text{};
    const ssize_t size = ::pread(control_, text.data(), text.size(), 0);
    double steps = 0;
    if (size <= 0 || std::from_chars(text.data(), text.data() + size, steps).ec != std::errc{}) return;
    const std::int64_t done = before_ + static_cast<std::int64_t>(steps);
    if (done <= reported_) return;
    reported_ = done;
    client_.ask("ReportProgress", {{"job_id", job_}, {"steps", done}});
  }

  int control_;
  VarlinkTestClient client_;
  json job_;
  bool working_ = false;
  std::int64_t before_ = 0;  ///< steps of earlier work
  std::int64_t reported_ = 0;
};

json adaptive_job(std::int64_t steps) {
  return {{"policy", "adaptive"}, {"total_steps", steps}};
}

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
  EXPECT_TRUE(job.train_until([&] { return excess(pythia, job.clock()) < 0.05; })) << job.reason();
  const json record = job.end();
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

TEST_F(Adaptive, TheNextJobLikeItStartsWhereItStayedEvenAfterACrashOfTheDaemon) {
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
  daemon.kill();
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
}  // namespace sweetspot::testing
