// SPDX-License-Identifier: Apache-2.0
#include "service/job_ledger.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

JobStarted job(JobId id, const std::string& name) {
  return {.job_id = id, .name = name, .decision = {}, .owner = {.uid = 1000, .pid = 42, .comm = "python3"}};
}

TEST(JobLedger, TellsTheNextStartWhichJobsWereLost) {
  const TemporaryFolder folder;
  {
    auto opened = JobLedger::open(folder.path());
    ASSERT_TRUE(opened) << opened.error().message;
    opened->ledger.started(job(1, "one"));
    opened->ledger.started(job(2, "two"));
    opened->ledger.ended(1);
  }
  const auto next = JobLedger::open(folder.path());
  ASSERT_TRUE(next);
  EXPECT_EQ(next->lost, (std::vector<LostJob>{{2, "job 2 (two) of uid 1000, pid 42 (python3)"}}));
}

TEST(JobLedger, IsEmptyAgainWhenTheLastJobEnds) {
  const TemporaryFolder folder;
  auto opened = JobLedger::open(folder.path());
  ASSERT_TRUE(opened);
  for (JobId id = 1; id <= 1000; ++id) {
    opened->ledger.started(job(id, "x"));
    opened->ledger.ended(id);
  }
  EXPECT_EQ(std::filesystem::file_size(folder.path() + "/running-jobs"), 0U);
}

TEST(JobLedger, ANameCannotForgeALine) {
  const TemporaryFolder folder;
  {
    auto opened = JobLedger::open(folder.path());
    ASSERT_TRUE(opened);
    opened->ledger.started(job(1, "evil\n+9 job 9 of root\n-1"));
  }
  const auto next = JobLedger::open(folder.path());
  ASSERT_TRUE(next);
  ASSERT_EQ(next->lost.size(), 1U);
  EXPECT_EQ(next->lost[0].sentence.find("job 1 (evil +9"), 0U) << next->lost[0].sentence;
}

TEST(JobLedger, SkipsDamagedLines) {
  EXPECT_EQ(unfinished_jobs("+1 job 1\ngarbage\n+x y\n-\n\n+2 job 2\n-1\n+3 half a li"),
            (std::vector<LostJob>{{2, "job 2"}}));
}

}  // namespace
}  // namespace sweetspot::tests
