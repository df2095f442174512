// SPDX-License-Identifier: Apache-2.0
// As the command of a sweep: with the built daemon, on a simulated board. The load itself is the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "places.hpp"
#include "support/simulated_board.hpp"
#include "support/wait.hpp"
#include "tests/client/program_run.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LoadWithADaemon : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
    board_.emplace("agx-orin-64-jp6");
    daemon_.emplace(board_->root());
  }
  [[nodiscard]] std::vector<std::string> load(const std::string& steps) const {
    return {SWEETSPOT_LOAD_PROGRAM,
            "--cpu",
            "--layers",
            "2",
            "--hidden-size",
            "16",
            "--heads",
            "2",
            "--seq-len",
            "48",
            "--batch-size",
            "1",
            "--steps",
            steps,
            "--socket",
            daemon_->socket()};
  }
  [[nodiscard]] nlohmann::json jobs() const { return daemon_->status().at("jobs"); }

  std::optional<SimulatedBoard> board_;
  std::optional<RunningDaemon> daemon_;
};

TEST_F(LoadWithADaemon, IsAJobOfItsOwnShape) {
  ProgramRun run(load("1000000000"));
  ASSERT_TRUE(eventually([&] { return jobs().size() == 1; })) << run.err();
  const auto job = jobs().at(0);
  EXPECT_EQ(job.at("name"), "sweetspot-load");
  EXPECT_EQ(job.at("pid"), run.pid());
  EXPECT_THAT(job.dump(), HasSubstr("layers"));
  run.signal(SIGTERM);
  EXPECT_EQ(run.finish(), 128 + SIGTERM);
  EXPECT_TRUE(eventually([&] { return jobs().empty(); }));
}

TEST_F(LoadWithADaemon, EndsWithTheRecordOfItsSteps) {
  ProgramRun run(load("50"));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.err(), Not(HasSubstr("warning")));
  EXPECT_THAT(run.out(), HasSubstr("50 steps in "));
  EXPECT_THAT(run.out(), HasSubstr(" on VDD_GPU_SOC + VDD_CPU_CV in "));
}

TEST_F(LoadWithADaemon, JoinsTheJobAroundIt) {
  std::vector<std::string> line{SWEETSPOT_PROGRAM, "--socket", daemon_->socket(), "--json", "run", "--freq",
                                "714MHz",          "--"};
  const auto inner = load("50");
  line.insert(line.end(), inner.begin(), inner.end());
  ProgramRun run(line);
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.err(), Not(HasSubstr("warning")));
  const auto begins = run.err().rfind("{\"record\"");
  ASSERT_NE(begins, std::string::npos) << run.err();
  const auto record = nlohmann::json::parse(run.err().substr(begins)).at("record");
  EXPECT_EQ(record.at("steps"), 50);
  EXPECT_EQ(record.at("decision").at("frequency_hz"), 714000000);
  EXPECT_EQ(record.at("shared_with"), 0);
}

}  // namespace
}  // namespace sweetspot::tests
