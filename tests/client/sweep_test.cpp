// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "places.hpp"
#include "support/simulated_board.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "tests/client/program_run.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tests::eventually;
using tests::ProgramRun;
using tests::RunningDaemon;
using tests::TemporaryFolder;

using Row = std::map<std::string, std::string>;

/// The built sweetspot and sweetspotd on a board on which training is 200 times as fast.
class Sweep : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
    board_.emplace("agx-orin-64-jp6", std::vector<std::string>{"--time-scale", "200"});
    daemon_.emplace(board_->root());
    ASSERT_TRUE(eventually([&] { return !daemon_->status().at("gpu").at("node").is_null(); }));
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  [[nodiscard]] std::string file() const { return path("curve.csv"); }
  [[nodiscard]] std::string text() const {
    std::ifstream in(file());
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  /// The rows by their columns. No field of these tests' rows has a comma.
  [[nodiscard]] std::vector<Row> rows() const {
    std::ifstream in(file());
    const auto split = [](const std::string& line) {
      std::vector<std::string> fields{""};
      for (const char c : line) c == ',' ? fields.emplace_back() : fields.back() += c;
      return fields;
    };
    std::string line;
    std::getline(in, line);
    const auto names = split(line);
    std::vector<Row> rows;
    while (std::getline(in, line)) {
      const auto fields = split(line);
      Row& row = rows.emplace_back();
      for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) row[names[i]] = fields[i];
    }
    return rows;
  }

  /// A machine under load may not measure a run well enough; it is then made again.
  [[nodiscard]] std::vector<Row> valid_rows() const {
    std::vector<Row> valid = rows();
    std::erase_if(valid, [](const Row& row) { return row.at("valid") != "true"; });
    return valid;
  }
  [[nodiscard]] std::vector<std::string> sweep(const std::vector<std::string>& options,
                                               const std::vector<std::string>& command) const {
    std::vector<std::string> words{
        SWEETSPOT_PROGRAM, "--socket", daemon_->socket(), "sweep",        "--settle", "100ms",
        "--cooldown",      "0",        "--sysfs-root",    board_->root(), "-o",       file()};
    words.insert(words.end(), options.begin(), options.end());
    if (std::find(options.begin(), options.end(), "--name") == options.end())
      words.insert(words.end(), {"--name", "training"});
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }
  /// A command of a shell, which finds the board's control file in $1 and a folder of its own in $2.
  [[nodiscard]] std::vector<std::string> script(const std::string& text) const {
    return {"sh", "-c", text, "sh", board_->root(), folder_.path()};
  }
  /// A training of the simulator that reports its steps to the sweep's job.
  [[nodiscard]] std::vector<std::string> training(const std::string& steps) const {
    return {SimulatedBoard::program(), "train",   "--sysfs-root", board_->root(), "--workload",
            "pythia-14m/qnli",         "--steps", steps,          "--socket",     daemon_->socket()};
  }
  [[nodiscard]] bool is_restored() const {
    return eventually([&] {
      return board_->read(board_->gpu("min_freq")) == "306000000" &&
             board_->read(board_->gpu("max_freq")) == "1300500000";
    });
  }

  TemporaryFolder folder_;
  std::optional<SimulatedBoard> board_;
  std::optional<RunningDaemon> daemon_;
};

// Long enough for the sensors, short enough for a test.
constexpr const char* short_work = "sleep 1.2";

TEST_F(Sweep, RunsATrainingAtEveryClockAndUnpinnedAndWritesTheCurve) {
  ProgramRun run(sweep({"--frequencies", "408MHz,816MHz", "--baseline", "--repeat", "2", "--retries", "5", "--layers",
                        "6", "--seq-len", "51", "--steps", "1200"},
                       training("1200")));
  ASSERT_EQ(run.finish(), 0) << run.err();
  const auto counting = valid_rows();
  ASSERT_THAT(counting, SizeIs(6));
  for (const Row& row : counting) {
    EXPECT_EQ(row.at("steps"), "1200");
    EXPECT_EQ(row.at("held_mhz"), row.at("gpu_freq_mhz") == "MAXN" ? "" : row.at("gpu_freq_mhz"));
    EXPECT_GT(std::stod(row.at("VDD_GPU_SOC_j")), 0);
  }
  const auto curves = parse_curves(text());
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_THAT(*curves, SizeIs(1));
  EXPECT_EQ(curves->front().platform, "agx-orin-64");
  ASSERT_THAT(curves->front().points, SizeIs(2));
  EXPECT_EQ(curves->front().points[0].energy_j.count(), 2U);
  EXPECT_GT(*curves->front().points[0].time(), *curves->front().points[1].time());
  EXPECT_TRUE(curves->front().default_governor);
  EXPECT_THAT(run.out(), HasSubstr("816 MHz"));
  EXPECT_TRUE(std::filesystem::exists(path("curve-agx-orin-64-training-maxn.svg")));
  EXPECT_TRUE(is_restored());
}

TEST_F(Sweep, GoesOnWhereItWasInterrupted) {
  // The second run hangs as long as the file `hold` is there.
  const auto command =
      script("echo >> $2/runs; [ -e $2/hold ] && [ $(wc -l < $2/runs) = 2 ] && exec tail -f /dev/null; exec sleep 1.2");
  std::ofstream(path("hold")) << "x";
  ProgramRun first(sweep({"--frequencies", "408MHz,612MHz,816MHz"}, command));
  ASSERT_TRUE(eventually(
      [&] { return std::filesystem::exists(path("runs")) && std::filesystem::file_size(path("runs")) == 2; }));
  first.signal(SIGTERM);
  EXPECT_EQ(first.finish(), 143) << first.err();
  EXPECT_THAT(first.err(), HasSubstr("the same command again"));
  EXPECT_TRUE(is_restored());
  const std::string before = text();
  ASSERT_THAT(rows(), SizeIs(1));

  std::filesystem::remove(path("hold"));
  ProgramRun second(sweep({"--frequencies", "408MHz,612MHz,816MHz"}, command));
  EXPECT_EQ(second.finish(), 0) << second.err();
  EXPECT_EQ(text().substr(0, before.size()), before);
  EXPECT_THAT(rows(), SizeIs(3));
  EXPECT_EQ(std::filesystem::file_size(path("runs")), 4U) << "one run, the one that hung, and the two that were left";
}

TEST_F(Sweep, GivesTheBoardItsClockBackWhenItIsKilledAndGoesOnAfterwards) {
  const auto command = script("[ -e $2/hold ] && { echo $$ > $2/there; exec tail -f /dev/null; }; exec sleep 1.2");
  std::ofstream(path("hold")) << "x";
  ProgramRun first(sweep({"--frequencies", "612MHz"}, command));
  pid_t runs = 0;
  ASSERT_TRUE(eventually([&] { return static_cast<bool>(std::ifstream(path("there")) >> runs); }));
  first.signal(SIGKILL);
  EXPECT_TRUE(is_restored());
  EXPECT_TRUE(eventually([&] { return ::kill(runs, 0) != 0; })) << "its command would run beside the next sweep's";
  std::filesystem::remove(path("hold"));
  std::ofstream(file(), std::ios::app) << "curve_i";
  ProgramRun second(sweep({"--frequencies", "612MHz"}, command));
  EXPECT_EQ(second.finish(), 0) << second.err();
  EXPECT_THAT(second.err(), HasSubstr("cut off the last line"));
  EXPECT_THAT(rows(), SizeIs(1));
}

TEST_F(Sweep, LeavesAFileOfSomethingElseAsItIs) {
  for (const std::string before : {"{\"precious\": 1}", "line one\nlast"}) {
    std::ofstream(file()) << before;
    ProgramRun run(sweep({"--frequencies", "612MHz"}, script("exit 0")));
    EXPECT_EQ(run.finish(), 1);
    EXPECT_THAT(run.err(), HasSubstr(file()));
    std::ostringstream after;
    after << std::ifstream(file()).rdbuf();
    EXPECT_EQ(after.str(), before);
  }
}

TEST_F(Sweep, KeepsAFailingCommandsPointOutTriesItAgainAndGoesOn) {
  const auto command =
      script("echo at work; [ \"$(cat $1/" + board_->gpu("max_freq") + ")\" = 612000000 ] && exit 7; exec sleep 1.2");
  ProgramRun run(sweep({"--frequencies", "408MHz,612MHz"}, command));
  EXPECT_EQ(run.finish(), 1) << run.err();
  EXPECT_THAT(run.err(), HasSubstr("612 MHz, repeat 1: the command failed with status 7"));
  std::vector<std::string> outcomes;
  for (const Row& row : rows())
    outcomes.push_back(row.at("gpu_freq_mhz") + " " + row.at("valid") + " " + row.at("exit_status"));
  EXPECT_THAT(outcomes, ::testing::UnorderedElementsAre("408 true 0", "612 false 7", "612 false 7"));
  EXPECT_EQ(outcomes.back(), "612 false 7") << "tried again after the others";
  EXPECT_TRUE(std::filesystem::file_size(file() + ".log") > 0) << "what the command said";
  EXPECT_TRUE(is_restored());
}

TEST_F(Sweep, MakesARunAgainThatTheDaemonsDeathCutShort) {
  // The first run hangs until somebody ends it.
  const auto command = script("echo >> $2/runs; [ $(wc -l < $2/runs) = 1 ] && exec tail -f /dev/null; exec sleep 1.2");
  ProgramRun run(sweep({"--frequencies", "612MHz", "--retries", "5"}, command));
  ASSERT_TRUE(eventually(
      [&] { return std::filesystem::exists(path("runs")) && std::filesystem::file_size(path("runs")) == 1; }));
  daemon_->kill();
  daemon_->start();
  EXPECT_EQ(run.finish(), 0) << run.err();
  EXPECT_EQ(rows().at(0).at("valid"), "false");
  EXPECT_EQ(rows().at(0).at("reason"), "sweetspotd went away");
  EXPECT_THAT(valid_rows(), SizeIs(1));
  EXPECT_TRUE(is_restored());
}

TEST_F(Sweep, WaitsWhileTheBoardIsHot) {
  const std::string hot = "/sys/class/thermal/thermal_zone1/temp";
  board_->control("set " + hot + " 91000");
  ProgramRun run(
      sweep({"--frequencies", "612MHz", "--max-temp", "60"}, script("echo > $2/there; " + std::string(short_work))));
  ASSERT_TRUE(run.wait_for_error("the GPU has 91.0 °C, waiting for 60.0 °C"));
  EXPECT_FALSE(std::filesystem::exists(path("there")));
  EXPECT_THAT(daemon_->status().at("jobs"), IsEmpty());
  board_->control("set " + hot + " 50000");
  EXPECT_EQ(run.finish(), 0) << run.err();
  ASSERT_THAT(rows(), SizeIs(1));
  EXPECT_EQ(rows()[0].at("temperature_before_c"), "50.0");
}

TEST_F(Sweep, WritesTheClockThatWasHeldInsteadOfTheOneAskedFor) {
  // The daemon looks once a second; most of the run is spent at the clock it then holds.
  const auto command = script("echo power-mode 2 > $1/control; while [ \"$(cat $1/" + board_->gpu("min_freq") +
                              ")\" != 612000000 ]; do :; done; exec sleep 3");
  ProgramRun run(sweep({"--frequencies", "1300.5MHz", "--retries", "0"}, command));
  EXPECT_EQ(run.finish(), 1) << run.err();
  ASSERT_THAT(rows(), SizeIs(1));
  EXPECT_EQ(rows()[0].at("gpu_freq_mhz"), "1300.5");
  EXPECT_EQ(rows()[0].at("held_mhz"), "612");
  EXPECT_EQ(rows()[0].at("valid"), "false");
}

TEST_F(Sweep, RefusesToMixJobsAndSaysWhatDiffers) {
  ProgramRun first(sweep({"--frequencies", "612MHz"}, script(short_work)));
  ASSERT_EQ(first.finish(), 0) << first.err();
  const std::string before = text();
  ProgramRun other(sweep({"--frequencies", "612MHz", "--layers", "24"}, script("echo > $2/there")));
  EXPECT_EQ(other.finish(), 1);
  EXPECT_THAT(other.err(), HasSubstr("layers: none there, 24 now; another command"));
  EXPECT_FALSE(std::filesystem::exists(path("there")));
  EXPECT_EQ(text(), before);

  ProgramRun apart(sweep({"--frequencies", "612MHz", "--name", "other"}, script(short_work)));
  EXPECT_NE(apart.finish(), 0);
  EXPECT_THAT(apart.err(), HasSubstr("--append"));
  ProgramRun appended(sweep({"--frequencies", "612MHz", "--name", "other", "--append"}, script(short_work)));
  EXPECT_EQ(appended.finish(), 0) << appended.err();
  EXPECT_THAT(rows(), SizeIs(2));
}

TEST_F(Sweep, PrintsItsPlanAndWritesNothingInADryRun) {
  auto words = sweep({"--dry-run", "--baseline", "--repeat", "2", "--run-time", "10s"}, script("echo > $2/there"));
  words.insert(words.begin() + 1, "--json");
  ProgramRun run(words);
  ASSERT_EQ(run.finish(), 0) << run.err();
  const auto plan = nlohmann::json::parse(run.out());
  EXPECT_EQ(plan.at("runs"), 24);
  EXPECT_THAT(plan.at("missing"), SizeIs(24));
  EXPECT_GT(plan.at("expected_s"), 240.0);
  EXPECT_FALSE(std::filesystem::exists(file()));
  EXPECT_FALSE(std::filesystem::exists(path("there")));
}

TEST_F(Sweep, RefusesClocksThatTheBoardDoesNotHaveOrMayNotRunAt) {
  ProgramRun unknown(sweep({"--frequencies", "600MHz"}, {"true"}));
  EXPECT_EQ(unknown.finish(), 2);
  EXPECT_THAT(unknown.err(), HasSubstr("expected clocks of this board (306 MHz, "));
}

TEST_F(Sweep, SaysThatItsCommandIsNotThereAndWritesNoRow) {
  ProgramRun run(sweep({"--frequencies", "612MHz"}, {"no-such-command-here"}));
  EXPECT_EQ(run.finish(), 1);
  EXPECT_THAT(run.err(), HasSubstr("no-such-command-here: No such file"));
  EXPECT_THAT(run.err(), HasSubstr("1 of 1 runs are missing"));
  EXPECT_EQ(text(), "");
  EXPECT_TRUE(is_restored());
}

}  // namespace
}  // namespace sweetspot
