// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <optional>

#include "places.hpp"
#include "support/simulated_board.hpp"
#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "tests/client/program_run.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace sweetspot {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using tests::eventually;
using tests::ProgramRun;
using tests::RunningDaemon;

constexpr const char* never_held = "306000000 1300500000";
constexpr const char* held_at_714 = "714000000 714000000";

/// The built programs, each with the other: sweetspot, sweetspotd, and a board that sweetspot-sim plays.
class RealDaemon : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
    board_.emplace("agx-orin-64-jp6", std::vector<std::string>{"--time-scale", "50"});
    daemon_.emplace(board_->root());
    // Ready is the socket; what the daemon says of its board is settled after its first look at it.
    ASSERT_TRUE(eventually([&] { return knows_its_board(); }));
  }

  [[nodiscard]] bool knows_its_board() const {
    ProgramRun status(line({"--json", "status"}));
    return status.finish() == 0 && !nlohmann::json::parse(status.out()).at("gpu").at("node").is_null();
  }

  [[nodiscard]] std::vector<std::string> line(const std::vector<std::string>& rest) const {
    std::vector<std::string> words{SWEETSPOT_PROGRAM, "--socket", daemon_->socket()};
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
  }
  /// `run` of a job whose clock is 714 MHz.
  [[nodiscard]] std::vector<std::string> run_line(const std::string& script) const {
    return line({"--json", "run", "--layers", "12", "--seq-len", "48", "--", "sh", "-c", script});
  }
  [[nodiscard]] std::string limits() const {
    return board_->read(board_->gpu("min_freq")) + " " + board_->read(board_->gpu("max_freq"));
  }
  [[nodiscard]] bool limits_become(const std::string& wanted) const {
    return eventually([&] { return limits() == wanted; });
  }

  std::optional<SimulatedBoard> board_;
  std::optional<RunningDaemon> daemon_;
};

TEST_F(RealDaemon, HoldsTheClockWhileACommandRunsAndGivesItsRecord) {
  ProgramRun run(run_line("echo ready; exec tail -f /dev/null"));
  ASSERT_TRUE(run.wait_for_output("ready"));
  EXPECT_TRUE(limits_become(held_at_714));
  run.signal(SIGTERM);
  EXPECT_EQ(run.finish(), 143);
  EXPECT_TRUE(limits_become(never_held));
  const auto json = nlohmann::json::parse(run.err());
  EXPECT_EQ(json.at("exit_status"), 143);
  const auto record = record_from_json(json.at("record").dump());
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_GT(record->energy.value_or(Joules{}).value, 0);
  EXPECT_EQ(record->rails_counted, (std::vector<std::string>{"VDD_GPU_SOC", "VDD_CPU_CV"}));
  EXPECT_EQ(record->ended_by, EndedBy::client);
}

TEST_F(RealDaemon, GivesTheClockBackWhenTheWrapperIsKilled) {
  ProgramRun run(run_line("echo $$ ready; exec tail -f /dev/null"));
  ASSERT_TRUE(run.wait_for_output("ready"));
  const pid_t training = std::stoi(run.out());
  EXPECT_TRUE(limits_become(held_at_714));
  run.signal(SIGKILL);
  EXPECT_TRUE(limits_become(never_held));
  EXPECT_EQ(::kill(training, SIGTERM), 0) << "the training has to run on";
}

TEST_F(RealDaemon, CostsOneWarningWhenItDiesAndTheCommandRunsOn) {
  ProgramRun run(line({"run", "--", "sh", "-c", "trap 'kill $!; exit 3' USR1; tail -f /dev/null & echo ready; wait"}));
  ASSERT_TRUE(run.wait_for_output("ready"));
  daemon_->kill();
  ASSERT_TRUE(run.wait_for_error("sweetspotd went away"));
  run.signal(SIGUSR1);
  EXPECT_EQ(run.finish(), 3);
  EXPECT_EQ(std::count(run.err().begin(), run.err().end(), '\n'), 1) << run.err();
}

TEST_F(RealDaemon, KeepsAJobThatWasStartedForAProcessUntilItIsEnded) {
  ProgramRun training({"tail", "-f", "/dev/null"});
  ProgramRun start(line({"start", "--pid", std::to_string(training.pid()), "--layers", "12", "--seq-len", "48"}));
  ASSERT_EQ(start.finish(), 0) << start.err();
  EXPECT_THAT(start.out(), HasSubstr("714 MHz (mlg)"));
  EXPECT_TRUE(limits_become(held_at_714));
  ProgramRun end(line({"end", "--mine"}));
  EXPECT_EQ(end.finish(), 0) << end.err();
  EXPECT_THAT(end.out(), HasSubstr("VDD_GPU_SOC + VDD_CPU_CV"));
  EXPECT_TRUE(limits_become(never_held));
}

TEST_F(RealDaemon, EndsAJobWithTheProcessItWasStartedFor) {
  std::optional<ProgramRun> training;
  training.emplace(std::vector<std::string>{"tail", "-f", "/dev/null"});
  ProgramRun start(line({"start", "--pid", std::to_string(training->pid()), "--layers", "12", "--seq-len", "48"}));
  ASSERT_EQ(start.finish(), 0) << start.err();
  ASSERT_TRUE(limits_become(held_at_714));
  training.reset();
  EXPECT_TRUE(limits_become(never_held));
}

TEST_F(RealDaemon, ExplainsAsTheClientDoesAloneForTheSameBoard) {
  const std::vector<std::string> spec{"--json", "explain", "--layers", "6", "--seq-len", "30"};
  ProgramRun asked(line(spec));
  ASSERT_EQ(asked.finish(), 0) << asked.err();
  std::vector<std::string> words = line(spec);
  words.insert(words.end(), {"--board", "agx-orin-64-jp6"});
  ProgramRun alone(words);
  ASSERT_EQ(alone.finish(), 0) << alone.err();
  EXPECT_EQ(nlohmann::json::parse(asked.out()), nlohmann::json::parse(alone.out()));
}

TEST_F(RealDaemon, ShowsItsStatusMetricsAndEvents) {
  ProgramRun watch(line({"watch", "--period", "100ms"}));
  ASSERT_TRUE(watch.wait_for_output("  sample  "));
  ProgramRun run(run_line("true"));
  ASSERT_EQ(run.finish(), 0);
  EXPECT_TRUE(watch.wait_for_output("job_ended"));
  EXPECT_THAT(watch.out(), HasSubstr("job_started  job 1: 714 MHz (mlg)"));
  ProgramRun status(line({"status"}));
  EXPECT_EQ(status.finish(), 0) << status.err();
  EXPECT_THAT(status.out(), AllOf(HasSubstr("AGX Orin"), HasSubstr("VDD_GPU_SOC"), HasSubstr("Jobs     none")));
  ProgramRun metrics(line({"metrics"}));
  EXPECT_EQ(metrics.finish(), 0) << metrics.err();
  EXPECT_THAT(metrics.out(), HasSubstr("sweetspot_build_info{"));
  watch.signal(SIGINT);
  EXPECT_EQ(watch.finish(), 0);
}

TEST_F(RealDaemon, TrainsTheStandInAsAJobAndCountsItsSteps) {
  ProgramRun train({SimulatedBoard::program(), "train", "--sysfs-root", board_->root(), "--workload", "pythia-14m/qnli",
                    "--steps", "250", "--socket", daemon_->socket(), "--freq", "510MHz", "--name", "stand-in",
                    "--json"});
  ASSERT_EQ(train.finish(), 0) << train.err();
  const auto record = record_from_json(nlohmann::json::parse(train.out()).at("record").dump());
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->steps, 250);
  EXPECT_EQ(record->name, "stand-in");
  EXPECT_EQ(record->applied, megahertz(510));
}

TEST_F(RealDaemon, TellsAReportOfItsBoardAndRails) {
  ProgramRun report(line({"report", "--state-dir", daemon_->state_dir()}));
  ASSERT_EQ(report.finish(), 0) << report.err();
  EXPECT_THAT(report.out(), AllOf(HasSubstr("<dd>NVIDIA Jetson AGX Orin Developer Kit</dd>"),
                                  HasSubstr("<th scope=\"row\">VDD_GPU_SOC</th><td>counted</td>"),
                                  HasSubstr("<th scope=\"row\">VIN_SYS_5V0</th><td>left out</td>")));
}

}  // namespace
}  // namespace sweetspot
