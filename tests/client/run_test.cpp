// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "places.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "tests/client/fake_server.hpp"
#include "tests/client/program_run.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using tests::FakeDaemon;
using tests::FakePeer;
using tests::ProgramRun;
using tests::TemporaryFolder;

std::vector<std::string> run_line(const std::string& socket, const std::vector<std::string>& rest) {
  std::vector<std::string> line{SWEETSPOT_PROGRAM, "--socket", socket, "run"};
  line.insert(line.end(), rest.begin(), rest.end());
  return line;
}

auto lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

struct StatusCase {
  const char* script;
  int status;
};
void PrintTo(const StatusCase& one, std::ostream* out) {
  *out << one.script;
}

class RunExitStatus : public ::testing::TestWithParam<StatusCase> {};

TEST_P(RunExitStatus, IsTheCommandsAsAShellGivesIt) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--", "sh", "-c", GetParam().script}));
  EXPECT_EQ(run.finish(), GetParam().status);
  EXPECT_THAT(daemon.calls("EndJob"), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(Commands, RunExitStatus,
                         ::testing::Values(StatusCase{"exit 0", 0}, StatusCase{"exit 3", 3},
                                           StatusCase{"exit 255", 255}, StatusCase{"kill -TERM $$", 143},
                                           StatusCase{"kill -KILL $$", 137}));

TEST(Run, GivesAShellsStatusForACommandThatCannotBeStarted) {
  const FakeDaemon daemon;
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/plain") << "text";
  EXPECT_EQ(ProgramRun(run_line(daemon.path(), {"--", folder.path() + "/absent"})).finish(), 127);
  EXPECT_EQ(ProgramRun(run_line(daemon.path(), {"--", "no-such-program-anywhere"})).finish(), 127);
  EXPECT_EQ(ProgramRun(run_line(daemon.path(), {"--", folder.path() + "/plain"})).finish(), 126);
  EXPECT_THAT(daemon.calls("EndJob"), SizeIs(3));
}

TEST(Run, RunsAScriptWithoutAFirstLineAsAShellDoes) {
  const FakeDaemon daemon;
  const TemporaryFolder folder;
  const std::string script = folder.path() + "/script";
  std::ofstream(script) << "exit 5\n";
  ASSERT_EQ(::chmod(script.c_str(), 0755), 0);
  EXPECT_EQ(ProgramRun(run_line(daemon.path(), {"--", script})).finish(), 5);
}

TEST(Run, FailsWith125BeforeItStartsAnythingWhenItsOwnOptionsAreWrong) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--model", "/nowhere/config.json", "--", "echo", "started"}));
  EXPECT_EQ(run.finish(), 125);
  EXPECT_EQ(run.out(), "");
  EXPECT_THAT(run.err(), HasSubstr("/nowhere/config.json"));
  EXPECT_THAT(daemon.calls("StartJob"), SizeIs(0));
}

TEST(Run, PrintsOneLineOfJoulesAndLeavesStandardOutputToTheCommand) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--layers", "12", "--", "echo", "trained"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_EQ(run.out(), "trained\n");
  EXPECT_EQ(run.err(),
            "sweetspot: 612 MHz, 41.0 kJ on VDD_GPU_SOC + VDD_CPU_CV in 24 min 3 s (mean 28.4 W), coverage 100 %\n");
  const auto spec = daemon.calls("StartJob").at(0).at("spec");
  EXPECT_EQ(spec.at("layers"), 12);
  EXPECT_EQ(spec.at("name"), "echo");
}

TEST(Run, WritesTheRecordAsTheLastLineOfStandardErrorWithJson) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--json", "--", "sh", "-c", "echo mine >&2; exit 4"}));
  EXPECT_EQ(run.finish(), 4);
  EXPECT_THAT(run.err(), StartsWith("mine\n"));
  const auto json = nlohmann::json::parse(run.err().substr(5));
  EXPECT_EQ(json.at("exit_status"), 4);
  EXPECT_EQ(record_from_json(json.at("record").dump()).value().energy, tests::sample_record().energy);
}

TEST(Run, TellsTheCommandItsJob) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--", "sh", "-c", "echo job $SWEETSPOT_JOB"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_EQ(run.out(), "job 7\n");
}

TEST(Run, KeepsTheJobsSocketFromTheCommand) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--", "sh", "-c", "ls -l /proc/self/fd"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.out(), AllOf(Not(HasSubstr("socket:")), Not(HasSubstr("signalfd"))));
}

TEST(Run, WarnsOnceAndRunsTheCommandWithoutADaemon) {
  const TemporaryFolder folder;
  ProgramRun run(run_line(folder.path() + "/absent", {"--", "sh", "-c", "echo trained${SWEETSPOT_JOB}; exit 3"}));
  EXPECT_EQ(run.finish(), 3);
  EXPECT_EQ(run.out(), "trained\n");
  EXPECT_THAT(run.err(), StartsWith("sweetspot: warning: "));
  EXPECT_EQ(lines_of(run.err()), 1);
}

TEST(Run, SaysThatThereIsNoRecordWithJsonAndNoDaemon) {
  const TemporaryFolder folder;
  ProgramRun run(run_line(folder.path() + "/absent", {"--json", "--", "false"}));
  EXPECT_EQ(run.finish(), 1);
  const std::string last = run.err().substr(run.err().find('\n') + 1);
  EXPECT_EQ(nlohmann::json::parse(last), (nlohmann::json{{"record", nullptr}, {"exit_status", 1}}));
}

TEST(Run, WarnsOnceAndRunsTheCommandWhenTheJobIsRefused) {
  FakeDaemon daemon;
  daemon.answer("StartJob", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(error_reply(TooManyJobs{.limit = 64, .whose = "the daemon"}));
  });
  ProgramRun run(run_line(daemon.path(), {"--", "sh", "-c", "exit 3"}));
  EXPECT_EQ(run.finish(), 3);
  EXPECT_THAT(run.err(), HasSubstr("64"));
  EXPECT_EQ(lines_of(run.err()), 1);
}

TEST(Run, WarnsOnceAndRunsOnWhenTheDaemonDiesMeanwhile) {
  FakeDaemon daemon;
  daemon.answer("StartJob", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(start_job_reply(tests::sample_start_reply()));
    peer.hang_up();
  });
  ProgramRun run(run_line(daemon.path(), {"--", "sh", "-c", "exit 3"}));
  EXPECT_EQ(run.finish(), 3);
  EXPECT_THAT(run.err(), HasSubstr("job 7"));
  EXPECT_EQ(lines_of(run.err()), 1);
}

TEST(Run, WarnsOnceWhenTheDaemonDiesInsteadOfGivingTheRecord) {
  FakeDaemon daemon;
  daemon.answer("EndJob", [](FakePeer& peer, const nlohmann::json&) { peer.hang_up(); });
  ProgramRun run(run_line(daemon.path(), {"--", "true"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_THAT(run.err(), HasSubstr("has no record"));
  EXPECT_EQ(lines_of(run.err()), 1);
}

TEST(Run, RunsTheCommandWhenTheDaemonTakesTheConnectionAndSaysNothing) {
  FakeDaemon daemon;
  daemon.answer("GetInterfaceDescription", [](FakePeer& peer, const nlohmann::json&) { peer.wait_for_hang_up(); });
  ProgramRun run(run_line(daemon.path(), {"--", "echo", "trained"}));
  EXPECT_EQ(run.finish(), 0);
  EXPECT_EQ(run.out(), "trained\n");
  EXPECT_THAT(run.err(), HasSubstr("does not answer in time"));
}

class RunSignals : public ::testing::TestWithParam<int> {};

TEST_P(RunSignals, ReachTheCommandOnce) {
  const FakeDaemon daemon;
  const std::string number = std::to_string(GetParam());
  const std::string script = "n=0; trap 'n=$((n+1))' " + number +
                             // A signal between the question and the wait is seen at the next turn.
                             "; echo ready; while [ $n -eq 0 ]; do timeout 0.1 tail -f /dev/null & wait $!; done; "
                             "wait $!; echo got $n; exit 9";
  ProgramRun run(run_line(daemon.path(), {"--", "bash", "-c", script}));
  ASSERT_TRUE(run.wait_for_output("ready"));
  run.signal(GetParam());
  EXPECT_EQ(run.finish(), 9);
  EXPECT_THAT(run.out(), HasSubstr("got 1"));
  EXPECT_THAT(daemon.calls("EndJob"), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(All, RunSignals, ::testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2));

TEST(Run, DiesAsTheCommandDoesOfASignalPassedOn) {
  const FakeDaemon daemon;
  ProgramRun run(run_line(daemon.path(), {"--", "sh", "-c", "echo ready; exec tail -f /dev/null"}));
  ASSERT_TRUE(run.wait_for_output("ready"));
  run.signal(SIGTERM);
  EXPECT_EQ(run.finish(), 143);
  EXPECT_THAT(run.err(), HasSubstr("41.0 kJ"));
}

}  // namespace
}  // namespace sweetspot
