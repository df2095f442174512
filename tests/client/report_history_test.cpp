// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "places.hpp"
#include "sweetspot/store/history_writer.hpp"
#include "tests/client/program_run.hpp"
#include "tests/client/samples.hpp"
#include "tests/support/temporary_folder.hpp"

// The part of `sweetspot report` that is of the history, on one that the store made.
namespace sweetspot::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A job that took 41 kJ and ended at that time of 2026-11-30, UTC, in hours.
PastJob past_job(const std::string& name, int hour) {
  constexpr std::chrono::seconds midnight(1'795'996'800);
  PastJob job;
  job.record = sample_record();
  job.record.name = job.spec.name = name;
  job.record.started = std::chrono::system_clock::time_point(midnight + std::chrono::hours(hour)) -
                       std::chrono::duration_cast<std::chrono::seconds>(job.record.duration);
  job.record.energy = Joules{41'000};
  job.record.share.reset();
  return job;
}

class ReportOfJobs : public ::testing::Test {
 protected:
  void keep(const std::vector<PastJob>& jobs) const {
    auto writer = HistoryWriter::open(folder_.path(), {});
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->add(jobs, std::chrono::system_clock::now()));
  }
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> line{SWEETSPOT_PROGRAM, "--socket",    folder_.path() + "/none",
                                  "report",          "--state-dir", folder_.path()};
    line.insert(line.end(), arguments.begin(), arguments.end());
    ProgramRun program(line);
    const int status = program.finish();
    return {status, program.out(), program.err()};
  }

  TemporaryFolder folder_;
};

TEST_F(ReportOfJobs, ShowsThoseThatTheServiceKept) {
  keep({past_job("first", 11), past_job("second", 12)});
  const Outcome made = run({});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out,
              AllOf(HasSubstr("<p class=\"big\">82.0\xC2\xA0kJ</p>"), HasSubstr(">first"), HasSubstr(">second")));
}

TEST_F(ReportOfJobs, TakesOnlyThoseSinceAMoment) {
  keep({past_job("before", 11), past_job("after", 13)});
  const Outcome made = run({"--since", "2026-11-30T12:00:00Z"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(Not(HasSubstr(">before")), HasSubstr(">after")));
  EXPECT_EQ(run({"--since", "whenever"}).status, 2);
}

TEST_F(ReportOfJobs, MakesThePageWithoutAHistoryItCannotRead) {
  std::ofstream(history_path(folder_.path()))
      << "not a database, but long enough to be taken for one: " << std::string(200, 'x');
  const Outcome made = run({});
  EXPECT_EQ(made.status, 0);
  EXPECT_THAT(made.err, HasSubstr("no history: "));
  EXPECT_THAT(made.out, HasSubstr("The history could not be read where this page was made."));
}

}  // namespace
}  // namespace sweetspot::tests
