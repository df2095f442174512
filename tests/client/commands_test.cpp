// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "places.hpp"
#include "sweetspot/client/known_boards.hpp"
#include "tests/client/board_tree.hpp"
#include "tests/client/fake_server.hpp"
#include "tests/client/program_run.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using tests::BoardTree;
using tests::FakeDaemon;
using tests::FakePeer;
using tests::Outcome;
using tests::ProgramRun;
using tests::TemporaryFolder;

std::vector<std::string> line(const std::vector<std::string>& rest) {
  std::vector<std::string> words{SWEETSPOT_PROGRAM};
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

Outcome outcome_of(const std::vector<std::string>& rest) {
  ProgramRun run(line(rest));
  const int status = run.finish();
  return {status, run.out(), run.err()};
}

TEST(CommandLine, EveryCommandHasHelpWithExamples) {
  for (const char* command : {"run", "start", "end", "status", "watch", "explain", "jobs", "characterise", "evaluate",
                              "fit", "profiles", "doctor", "metrics", "record-board"}) {
    const Outcome help = outcome_of({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.out, AllOf(HasSubstr("Examples:"), HasSubstr(std::string("sweetspot ") + command))) << command;
  }
  EXPECT_THAT(outcome_of({"--help"}).out, HasSubstr("doctor"));
}

TEST(CommandLine, TellsItsVersion) {
  const Outcome version = outcome_of({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("sweetspot "));
}

TEST(CommandLine, AnswersAMistakeWithTwoAndAHint) {
  const std::vector<std::vector<std::string>> mistakes{
      {},
      {"frobnicate"},
      {"status", "--colour"},
      {"run", "--layers", "many", "--", "true"},
      {"run", "--layers", "12"},
      {"run", "python", "train.py"},
      {"start", "--layers", "12"},
      {"start", "--pid", "0"},
      {"end"},
      {"end", "seven"},
      {"end", "7", "--mine"},
      {"status", "--", "true"},
      {"watch", "--period", "0"},
      {"explain", "--board", "pi-5"},
      {"explain", "--freq", "612"},
      {"explain", "--policy", "fastest"},
      {"start", "--pid", "1", "--layers", "-1"},
      {"metrics", "--json"},
      {"evaluate"},
      {"fit"},
      {"fit", "x.csv", "--objective", "speed"},
      {"fit", "x.csv", "--features", "colour"},
      {"evaluate", "--curves", "x.csv", "--policies", "fastest"},
      {"evaluate", "--curves", "x.csv", "--policies", "mlg,mlg"},
      {"evaluate", "--curves", "x.csv", "--max-slowdown", "0.5"},
  };
  for (const auto& mistake : mistakes) {
    const Outcome refused = outcome_of(mistake);
    EXPECT_EQ(refused.status, 2) << ::testing::PrintToString(mistake);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("--help")) << ::testing::PrintToString(mistake);
  }
}

TEST(Status, ShowsTheReportForPeopleOrTheReplyAsJson) {
  const FakeDaemon daemon;
  const Outcome text = outcome_of({"--socket", daemon.path(), "status"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("pinned at 612 MHz"));
  const Outcome json = outcome_of({"status", "--json", "--socket", daemon.path()});
  EXPECT_EQ(parse_status(json.out).value(), tests::sample_status());
}

TEST(Status, TakesTheSocketFromTheEnvironment) {
  const FakeDaemon daemon;
  ::setenv("SWEETSPOT_SOCKET", daemon.path().c_str(), 1);
  EXPECT_EQ(outcome_of({"status"}).status, 0);
  ::unsetenv("SWEETSPOT_SOCKET");
}

TEST(Status, FailsWithWordsWhereNoDaemonIs) {
  const TemporaryFolder folder;
  const Outcome refused = outcome_of({"--socket", folder.path() + "/absent", "status"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("there is no such socket"));
}

TEST(Start, StartsAJobForAProcess) {
  const FakeDaemon daemon;
  const Outcome started = outcome_of({"--socket", daemon.path(), "start", "--pid", "4242", "--layers", "12"});
  EXPECT_EQ(started.status, 0) << started.err;
  EXPECT_THAT(started.out, StartsWith("job 7: 612 MHz (mlg)\n"));
  EXPECT_EQ(daemon.calls("StartJob").at(0).at("spec").at("pid"), 4242);
  const Outcome json = outcome_of({"--socket", daemon.path(), "--json", "start", "--pid", "4242"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("job_id"), 7);
}

TEST(End, PrintsWhatEachJobCost) {
  const FakeDaemon daemon;
  const Outcome ended = outcome_of({"--socket", daemon.path(), "end", "7"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("job 7 lora: 612 MHz, 41.0 kJ"));
  const Outcome json = outcome_of({"--socket", daemon.path(), "end", "7", "8", "--json"});
  EXPECT_THAT(nlohmann::json::parse(json.out).at("records"), SizeIs(2));
}

TEST(End, EndsTheJobsOfThisUserAndNobodyElses) {
  FakeDaemon daemon;
  StatusReport status = tests::sample_status();
  status.jobs.push_back(status.jobs[0]);
  status.jobs.push_back(status.jobs[0]);
  status.jobs[1].job_id = 8;
  status.jobs[1].owner.uid = ::getuid() + 1;
  status.jobs[2].job_id = 9;
  daemon.answer("GetStatus", [&](FakePeer& peer, const nlohmann::json&) { peer.send(status_reply(status)); });
  EXPECT_EQ(outcome_of({"--socket", daemon.path(), "end", "--mine"}).status, 0);
  std::vector<int> ended;
  for (const auto& call : daemon.calls("EndJob")) ended.push_back(call.at("job_id"));
  EXPECT_THAT(ended, ElementsAre(7, 9));
}

TEST(End, FailsWhenAJobIsNotThereButEndsTheOthers) {
  FakeDaemon daemon;
  daemon.answer("EndJob", [](FakePeer& peer, const nlohmann::json& parameters) {
    const bool known = parameters.at("job_id") == 7;
    peer.send(known ? end_job_reply(tests::sample_record()) : error_reply(NoSuchJob{5}));
  });
  const Outcome ended = outcome_of({"--socket", daemon.path(), "end", "5", "7"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("job 5"));
  EXPECT_THAT(ended.out, HasSubstr("41.0 kJ"));
}

TEST(Explain, AsksTheDaemon) {
  const FakeDaemon daemon;
  const Outcome text = outcome_of({"--socket", daemon.path(), "explain", "--layers", "12"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(StartsWith("612 MHz (mlg)\n"), HasSubstr("layers 12 > 7")));
  const Outcome json = outcome_of({"--socket", daemon.path(), "explain", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("decision").at("frequency_hz"), 612'000'000);
}

TEST(Explain, AnswersAloneForEveryBoardItKnows) {
  for (const KnownBoard& board : known_boards()) {
    const Outcome json =
        outcome_of({"explain", "--json", "--layers", "12", "--seq-len", "48", "--board", std::string(board.id)});
    ASSERT_EQ(json.status, 0) << json.err;
    const std::uint64_t clock = nlohmann::json::parse(json.out).at("decision").at("frequency_hz");
    EXPECT_TRUE(table_of(board).contains(Hertz{clock})) << board.id;
  }
}

TEST(Explain, GivesThePapersClockOnItsBoardAndSaysWhatIsUncertainOnOthers) {
  EXPECT_THAT(outcome_of({"explain", "--layers", "12", "--seq-len", "48", "--board", "agx-orin-64-jp6"}).out,
              StartsWith("714 MHz (mlg)\n"));
  EXPECT_THAT(outcome_of({"explain", "--layers", "12", "--seq-len", "48", "--board", "agx-thor-jp7"}).out,
              HasSubstr("uncertain: "));
}

TEST(Metrics, ReplacesAFileInOnePieceAndKeepsItWhenTheDaemonIsGone) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/sweetspot.prom";
  {
    const FakeDaemon daemon;
    const Outcome written = outcome_of({"--socket", daemon.path(), "metrics", "-o", file});
    EXPECT_EQ(written.status, 0) << written.err;
    EXPECT_EQ(written.out, "");
    EXPECT_EQ(outcome_of({"--socket", daemon.path(), "metrics"}).out,
              (std::stringstream() << std::ifstream(file).rdbuf()).str());
  }
  const auto size = std::filesystem::file_size(file);
  EXPECT_GT(size, 0U);
  EXPECT_EQ(outcome_of({"--socket", folder.path() + "/absent", "metrics", "-o", file}).status, 1);
  EXPECT_EQ(std::filesystem::file_size(file), size);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Watch, WritesALinePerEventIntoAPipeAndEndsWithZeroOnCtrlC) {
  FakeDaemon daemon;
  daemon.answer("Watch", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(watch_event_reply({.at = seconds(5), .what = WatchSample{.rails = {{"VDD_GPU_SOC", Watts{20}}}}}));
    peer.send(watch_event_reply({.at = seconds(6.5), .what = Event{ClockPinned{megahertz(612)}}}));
    peer.wait_for_hang_up();
  });
  ProgramRun run(line({"--socket", daemon.path(), "watch"}));
  ASSERT_TRUE(run.wait_for_output("1.5 s  clock_pinned  612 MHz\n"));
  EXPECT_THAT(run.out(), StartsWith("0.0 s  sample  "));
  run.signal(SIGINT);
  EXPECT_EQ(run.finish(), 0);
}

TEST(Watch, WritesADocumentPerLineWithJsonAndFailsWhenTheDaemonGoes) {
  FakeDaemon daemon;
  daemon.answer("Watch", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(watch_event_reply({.at = seconds(6), .what = Event{ClockPinned{megahertz(612)}}}));
    peer.hang_up();
  });
  const Outcome watched = outcome_of({"--socket", daemon.path(), "--json", "watch"});
  EXPECT_EQ(watched.status, 1);
  EXPECT_EQ(nlohmann::json::parse(watched.out).at("event").at("kind"), "clock_pinned");
  EXPECT_THAT(watched.err, HasSubstr("hung up"));
}

TEST(Doctor, ExitsWithThreeWhereThereIsNoGpuNodeAndZeroWhereAllIsWell) {
  const BoardTree tree;
  const TemporaryFolder runtime;
  ASSERT_EQ(::chmod(runtime.path().c_str(), 0700), 0);
  const std::vector<std::string> arguments{
      "--socket",    runtime.path() + "/absent", "doctor", "--json", "--sysfs-root", tree.root(), "--runtime-dir",
      runtime.path()};
  const Outcome well = outcome_of(arguments);
  EXPECT_EQ(well.status, 0) << well.out;
  EXPECT_EQ(nlohmann::json::parse(well.out).at("exit_status"), 0);
  EXPECT_EQ(tree.read(BoardTree::node + "/max_freq"), "918000000");
  tree.remove("/sys/class/devfreq");
  const Outcome blind = outcome_of(arguments);
  EXPECT_EQ(blind.status, 3);
  EXPECT_EQ(nlohmann::json::parse(blind.out).at("exit_status"), 3);
}

}  // namespace
}  // namespace sweetspot
