// SPDX-License-Identifier: Apache-2.0
#include "store/history.hpp"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.hpp"
#include "wire/samples.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(History, EveryFieldComesBackAsItWas) {
  const TemporaryFolder folder;
  Samples samples(7);
  std::vector<PastJob> kept;
  for (int i = 0; i < 200; ++i) {
    PastJob job{.number = i + 1, .record = samples.record(), .spec = samples.spec()};
    job.spec.name = job.record.name;
    if (job.spec.rails && job.spec.rails->empty()) job.spec.rails.reset();
    kept.push_back(std::move(job));
  }
  {
    auto writer = HistoryWriter::open(folder.path(), {});
    ASSERT_TRUE(writer) << writer.error().message;
    const auto added = writer->add(kept, noon);
    ASSERT_TRUE(added) << added.error().message;
  }
  EXPECT_EQ(jobs_in(folder.path()), kept);
}

TEST(History, WhatWasNotMeasuredComesBackEmptyAndNotAsZero) {
  const TemporaryFolder folder;
  PastJob job = job_named("unmeasured");
  job.record.energy.reset();
  keep(folder.path(), {job});
  const auto jobs = jobs_in(folder.path());
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].record.energy, std::nullopt);
  EXPECT_EQ(jobs[0].record.mean_power, std::nullopt);
  EXPECT_EQ(jobs[0].record.steps, std::nullopt);
  EXPECT_EQ(jobs[0].record.rails.at(1).energy, std::nullopt);
}

TEST(History, JobsComeInTheOrderInWhichTheyWereKept) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("b"), job_named("a")});
  keep(folder.path(), {job_named("c")});
  EXPECT_THAT(names_in(folder.path()), ElementsAre("b", "a", "c"));
}

TEST(History, AFilterChoosesByNamePolicyNumberAndTime) {
  const TemporaryFolder folder;
  PastJob other = job_named("other", seconds(3600));
  other.record.decision.policy = "ffg";
  keep(folder.path(), {job_named("old", seconds(7200)), other, job_named("new")});
  EXPECT_THAT(names_in(folder.path(), {.name = "other"}), ElementsAre("other"));
  EXPECT_THAT(names_in(folder.path(), {.policy = "mlg"}), ElementsAre("old", "new"));
  EXPECT_THAT(names_in(folder.path(), {.number = 2}), ElementsAre("other"));
  EXPECT_THAT(names_in(folder.path(), {.since = noon - std::chrono::seconds(3600)}), ElementsAre("other", "new"));
  EXPECT_THAT(names_in(folder.path(), {.before = noon - std::chrono::seconds(3600)}), ElementsAre("old"));
  EXPECT_THAT(names_in(folder.path(), {.name = "othe"}), IsEmpty());
}

TEST(History, TheLastAreTheLastOfThoseChosen) {
  const TemporaryFolder folder;
  PastJob other = job_named("other");
  other.record.decision.policy = "ffg";
  keep(folder.path(), {job_named("1"), job_named("2"), job_named("3"), other});
  EXPECT_THAT(names_in(folder.path(), {.last = 2}), ElementsAre("3", "other"));
  EXPECT_THAT(names_in(folder.path(), {.policy = "mlg", .last = 2}), ElementsAre("2", "3"));
  EXPECT_THAT(names_in(folder.path(), {.last = 0}), IsEmpty());
}

TEST(History, AVisitorMayStop) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("1"), job_named("2"), job_named("3")});
  const auto reader = HistoryReader::open(folder.path());
  ASSERT_TRUE(reader);
  int seen = 0;
  ASSERT_TRUE(reader->records({}, [&](const PastJob&) { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
}

TEST(History, AReaderSeesOneMomentWhileJobsAreAdded) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("1"), job_named("2")});
  auto writer = HistoryWriter::open(folder.path(), {});
  ASSERT_TRUE(writer);
  const auto reader = HistoryReader::open(folder.path());
  ASSERT_TRUE(reader);
  const PastJob late = job_named("late");
  int seen = 0;
  ASSERT_TRUE(reader->records({}, [&](const PastJob&) {
    if (++seen == 1) {
      const auto added = writer->add(std::span(&late, 1), noon);
      EXPECT_TRUE(added) << added.error().message;
    }
    return true;
  }));
  EXPECT_EQ(seen, 2);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("1", "2", "late"));
}

}  // namespace
}  // namespace sweetspot::tests
