// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "places.hpp"
#include "tests/client/program_run.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Small enough for a CPU.
std::vector<std::string> on_cpu(const std::vector<std::string>& more) {
  std::vector<std::string> line{SWEETSPOT_LOAD_PROGRAM, "--cpu", "--layers",  "2",
                                "--hidden-size",        "16",    "--heads",   "2",
                                "--batch-size",         "2",     "--seq-len", "6"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

TEST(SweetspotLoad, TrainsOnACpuAndSaysHowFast) {
  ProgramRun run(on_cpu({"--no-job", "--steps", "5"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.out(), ContainsRegex("^5 steps in [0-9.]+ s: [0-9.]+ steps/s, [0-9.]+ ms a step; loss [0-9.]+"));
  EXPECT_THAT(run.err(), HasSubstr("on one core of the CPU, by the reference"));
  EXPECT_THAT(run.err(), HasSubstr("2 layers, hidden size 16, 2 heads, batch of 2 x 6 tokens: "));
}

TEST(SweetspotLoad, TrainsOnWithoutADaemonAfterOneWarning) {
  ProgramRun run(on_cpu({"--steps", "300", "--socket", "/nonexistent/socket"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.out(), HasSubstr("300 steps in "));
  const auto first = run.err().find("warning: ");
  ASSERT_NE(first, std::string::npos) << run.err();
  EXPECT_THAT(run.err().substr(first), AllOf(HasSubstr("/nonexistent/socket"), HasSubstr("training without it")));
  EXPECT_EQ(run.err().find("warning: ", first + 1), std::string::npos);
}

TEST(SweetspotLoad, EndsBetweenTwoStepsWhenAskedTo) {
  ProgramRun run(on_cpu({"--steps", "1000000000", "--socket", "/nonexistent/socket"}));
  ASSERT_TRUE(run.wait_for_error("training without it"));
  run.signal(SIGTERM);
  EXPECT_EQ(run.finish(), 128 + SIGTERM);
  EXPECT_THAT(run.out(), AnyOf(HasSubstr(" steps in "), ""));
}

TEST(SweetspotLoad, SaysWhatIsMissingWithoutCudaOrAGpu) {
  for (const auto& words :
       {std::vector<std::string>{SWEETSPOT_LOAD_PROGRAM, "--layers", "1", "--steps", "1", "--no-job"},
        {SWEETSPOT_LOAD_PROGRAM, "--layers", "1", "--true-clock", "--readings", "1"}}) {
    ProgramRun run(words);
    const int status = run.finish();
    if (status == 0) GTEST_SKIP() << "a GPU is here: " << run.err();
    EXPECT_EQ(status, 3);
    EXPECT_EQ(run.out(), "");
    EXPECT_THAT(run.err(), AnyOf(AllOf(HasSubstr("built without CUDA"), HasSubstr("-DSWEETSPOT_CUDA=ON")),
                                 HasSubstr("no GPU for CUDA: ")));
  }
}

TEST(SweetspotLoad, RefusesWhatItCannotTrain) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--heads", "5"}, "768 cannot be shared among 5 heads"},
      {{"--layers", "0"}, "1 at least"},
      {{"--steps", "0"}, "--steps"},
      {{"--true-clock", "--cpu"}, "excludes"},
      {{"--window", "1s"}, "--true-clock"},
      {{"--true-clock", "--window", "never"}, "--window: "},
      {{"--true-clock", "--window", "20s"}, "from 1ms to 10s"},
  };
  for (const auto& [arguments, said] : cases) {
    std::vector<std::string> line{SWEETSPOT_LOAD_PROGRAM};
    line.insert(line.end(), arguments.begin(), arguments.end());
    ProgramRun run(line);
    EXPECT_EQ(run.finish(), 2);
    EXPECT_THAT(run.err(), HasSubstr(said));
  }
}

TEST(SweetspotLoad, SaysInItsHelpThatNoGpuRanIt) {
  ProgramRun run({SWEETSPOT_LOAD_PROGRAM, "--help"});
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.out(), HasSubstr("run neither on a Jetson nor on any other GPU"));
}

}  // namespace
}  // namespace sweetspot::tests
