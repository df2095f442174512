// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "places.hpp"
#include "sweetspot/store/history_writer.hpp"
#include "tests/client/program_run.hpp"
#include "tests/client/samples.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/wait.hpp"

// `sweetspot jobs` as a user runs it, on a history that the store made.
namespace sweetspot::tests {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A job that ended at noon of 2026-11-30, UTC.
PastJob past_job(const std::string& name, const std::string& policy = "mlg", double joules = 41'000) {
  PastJob job;
  job.record = sample_record();
  job.record.name = job.spec.name = name;
  job.record.started = std::chrono::system_clock::time_point(std::chrono::seconds(1'796'040'000)) -
                       std::chrono::duration_cast<std::chrono::seconds>(job.record.duration);
  job.record.decision.policy = policy;
  if (policy == "none") job.record.decision.frequency.reset();
  job.record.energy = Joules{joules};
  job.record.steps = 1000;
  job.spec.layers = 12;
  return job;
}

class Jobs : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("TZ", "UTC", 1); }
  void keep(const std::vector<PastJob>& jobs) const {
    auto writer = HistoryWriter::open(folder_.path(), {});
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->add(jobs, std::chrono::system_clock::now()));
  }
  [[nodiscard]] Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {SWEETSPOT_PROGRAM, "jobs", "--state-dir", folder_.path()});
    ProgramRun program(arguments);
    const int status = program.finish();
    return {status, program.out(), program.err()};
  }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Jobs, ShowsATableInPeoplesUnitsWithTheNewestLast) {
  keep({past_job("first"), past_job("second")});
  const Outcome shown = run({});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out,
              StartsWith("no.  ended             name    policy  ended by    clock        time   energy   power  "
                         "per step  measured\n"
                         "1    2026-11-30 12:00  first   mlg     client    612 MHz  24 min 3 s  41.0 kJ  28.4 W "
                         "   41.0 J     100 %\n"
                         "2    2026-11-30 12:00  second  "));
  EXPECT_THAT(shown.out, Not(HasSubstr("saved")));
}

TEST_F(Jobs, ShowsADashForWhatWasNotMeasuredNeverAZero) {
  PastJob job = past_job("unmeasured");
  job.record.energy.reset();
  job.record.mean_power.reset();
  job.record.coverage = 0;
  job.record.energy_valid = false;
  keep({job});
  EXPECT_THAT(run({}).out, HasSubstr("612 MHz  24 min 3 s       -      -         -         -\n"));
  const std::string csv = run({"--export", "csv"}).out;
  EXPECT_THAT(csv, AllOf(HasSubstr(",612,1443,,false,"), HasSubstr("energy_j")));
  EXPECT_TRUE(json::parse(run({"--json"}).out).at("jobs").at(0).at("record").at("energy_j").is_null());
  EXPECT_THAT(run({"1"}).out, HasSubstr("energy       not measured\n"));
}

TEST_F(Jobs, MarksAnEnergyThatTooLittleWasMeasuredFor) {
  PastJob job = past_job("gaps");
  job.record.coverage = 0.4;
  job.record.energy_valid = false;
  keep({job});
  EXPECT_THAT(run({}).out, AllOf(HasSubstr("41.0 kJ?"), HasSubstr("40 %"), HasSubstr("?: too little")));
}

TEST_F(Jobs, ShowsWhatWasSavedOnlyAgainstAnUnpinnedJobOfTheSameKind) {
  keep({past_job("bert", "none", 50'000), past_job("bert", "mlg", 41'000), past_job("gpt", "mlg", 41'000)});
  const std::string text = run({}).out;
  EXPECT_THAT(text, HasSubstr("100 %  18.0 %\n3  "));
  EXPECT_THAT(text, HasSubstr("100 %       -\n"));
  EXPECT_THAT(text, HasSubstr("saved: joules per step"));
}

TEST_F(Jobs, FiltersByNamePolicyNumberAndAge) {
  keep({past_job("a"), past_job("b", "none"), past_job("c")});
  const auto names = [this](const std::vector<std::string>& arguments) {
    std::vector<std::string> more = arguments;
    more.emplace_back("--json");
    std::string all;
    const json document = json::parse(run(more).out);
    for (const json& job : document.at("jobs")) all += job.at("record").at("name").get<std::string>();
    return all;
  };
  EXPECT_EQ(names({}), "abc");
  EXPECT_EQ(names({"--last", "2"}), "bc");
  EXPECT_EQ(names({"--policy", "none"}), "b");
  EXPECT_EQ(names({"--name", "c"}), "c");
  EXPECT_EQ(names({"2"}), "b");
  EXPECT_EQ(names({"--since", "2026-11-30"}), "abc");
  EXPECT_EQ(names({"--since", "2026-11-30T12:00:01Z"}), "");
}

TEST_F(Jobs, ShowsOneJobInFull) {
  PastJob job = past_job("lora");
  job.spec.tags["user"] = "ada";
  keep({job});
  const Outcome shown = run({"1"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  for (const char* line :
       {"no.          1, lora (job 7 of its daemon)\n", "policy       mlg, 612 MHz\n",
        "energy       41.0 kJ on VDD_GPU_SOC + VDD_CPU_CV\n", "  rail       VDD_CPU_CV: 11.0 kJ, 7.6 W\n",
        "tag          user = ada\n", "model        layers 12\n"})
    EXPECT_THAT(shown.out, HasSubstr(line));
  const Outcome missing = run({"2"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("no job no. 2 is kept"));
}

TEST_F(Jobs, SaysWhenThereIsNoHistoryYet) {
  const Outcome shown = run({});
  EXPECT_EQ(shown.status, 1);
  EXPECT_EQ(shown.out, "");
  EXPECT_THAT(shown.err, HasSubstr("there is no history yet: no " + folder() + "/history.db"));
}

TEST_F(Jobs, SaysWhoMayReadAHistoryThatItMayNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  keep({past_job("secret")});
  ProgramRun program({"/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "--regid=65534", SWEETSPOT_PROGRAM, "jobs",
                      "--state-dir", folder()});
  EXPECT_EQ(program.finish(), 1);
  EXPECT_THAT(program.err(), HasSubstr("Permission denied; root and members of group sweetspot-users may read"));
}

TEST_F(Jobs, RefusesWhatItDoesNotUnderstand) {
  keep({past_job("a")});
  for (const std::vector<std::string>& mistake : std::vector<std::vector<std::string>>{
           {"--export", "xml"}, {"--since", "yesterday"}, {"--last", "few"}, {"first"}}) {
    const Outcome refused = run(mistake);
    EXPECT_EQ(refused.status, 2) << ::testing::PrintToString(mistake);
    EXPECT_THAT(refused.err, HasSubstr("--help"));
  }
}

TEST_F(Jobs, ControlCharactersOfOthersDoNotReachTheTerminal) {
  PastJob job = past_job("evil\x1b[2Jname");
  job.record.owner.comm = "py\x1b]0;x";
  keep({job});
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{}, {"1"}})
    EXPECT_THAT(run(arguments).out, AllOf(Not(HasSubstr("\x1b")), HasSubstr("evil?[2Jname")));
}

TEST_F(Jobs, CharacteriseReadsTheCsv) {
  std::vector<PastJob> jobs;
  for (const auto& [clock, joules] : {std::pair{306.0, 60'000.0}, {612.0, 41'000.0}, {918.0, 55'000.0}}) {
    PastJob job = past_job("bert, \"large\"", "fixed", joules);
    job.record.decision.frequency = job.record.applied = megahertz(clock);
    jobs.push_back(job);
  }
  jobs.push_back(past_job("bert, \"large\"", "none", 58'000));
  PastJob lost = past_job("bert, \"large\"");
  lost.record.ended_by = EndedBy::lost;
  lost.record.energy.reset();
  jobs.push_back(lost);
  keep(jobs);
  const std::string file = folder() + "/jobs.csv";
  std::ofstream(file) << run({"--export", "csv"}).out;
  ProgramRun characterise({SWEETSPOT_PROGRAM, "characterise", file, "--json"});
  ASSERT_EQ(characterise.finish(), 0) << characterise.err();
  const json curves = json::parse(characterise.out());
  ASSERT_EQ(curves.at("curves").size(), 1U) << characterise.out();
  const json& curve = curves.at("curves").at(0);
  EXPECT_EQ(curve.at("points").size(), 4U) << curve;
}

TEST_F(Jobs, ALongHistoryIsExportedFastAndInLittleMemory) {
  constexpr std::size_t count = 100'000 / (slowness * slowness);
  std::vector<PastJob> some(1000, past_job("one of many"));
  for (std::size_t i = 0; i < count / some.size(); ++i) keep(some);
  for (const char* format : {"csv", "json"}) {
    const std::string out = folder() + "/out";
    const auto begun = Clock::now();
    ProgramRun program({"/bin/sh", "-c",
                        std::string("ulimit -v ") + (slowness == 1 ? "65536" : "unlimited") + "; exec \"$@\" >" + out,
                        "sh", SWEETSPOT_PROGRAM, "jobs", "--state-dir", folder(), "--export", format});
    ASSERT_EQ(program.finish(), 0) << program.err();
    EXPECT_LT(Clock::now() - begun, std::chrono::seconds(40));
    std::ifstream file(out);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    EXPECT_GE(lines, count);
  }
}

}  // namespace
}  // namespace sweetspot::tests
