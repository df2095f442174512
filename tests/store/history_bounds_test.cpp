// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>

#include "store/history.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::ElementsAre;

std::vector<PastJob> many_jobs(int count) {
  std::vector<PastJob> jobs;
  for (int i = 0; i < count; ++i) jobs.push_back(job_named("job " + std::to_string(i)));
  return jobs;
}

void add(const std::string& folder, const std::vector<PastJob>& jobs, HistoryBounds bounds) {
  auto writer = HistoryWriter::open(folder, bounds);
  ASSERT_TRUE(writer) << writer.error().message;
  const auto added = writer->add(jobs, noon);
  ASSERT_TRUE(added) << added.error().message;
}

TEST(HistoryBounds, JobsThatEndedLongerAgoThanTheAgeGo) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("old", seconds(86400 * 10)), job_named("young", seconds(86400 * 2))});
  add(folder.path(), {job_named("new")}, {.age = seconds(86400 * 7)});
  EXPECT_THAT(names_in(folder.path()), ElementsAre("young", "new"));
}

TEST(HistoryBounds, WithoutBoundsEverythingStays) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("very old", seconds(86400.0 * 365 * 20)), job_named("new")});
  EXPECT_THAT(names_in(folder.path()), ElementsAre("very old", "new"));
}

TEST(HistoryBounds, TheOldestGoWhenTheFileWouldGrowBeyondItsSize) {
  const TemporaryFolder folder;
  constexpr std::uint64_t bound = 256 * 1024;
  for (int i = 0; i < 20; ++i) add(folder.path(), many_jobs(100), {.bytes = bound});
  EXPECT_LE(std::filesystem::file_size(history_path(folder.path())), bound + bound / 4);
  const auto jobs = jobs_in(folder.path());
  EXPECT_GT(jobs.size(), 100U) << "not more than has to";
  EXPECT_LT(jobs.size(), 2000U);
  EXPECT_EQ(jobs.back().number, 2000) << "the newest stay";
  EXPECT_EQ(jobs.front().number, 2001 - static_cast<std::int64_t>(jobs.size())) << "and no other goes than the oldest";
}

TEST(HistoryBounds, TheNewestJobStaysHoweverSmallTheSize) {
  const TemporaryFolder folder;
  add(folder.path(), {job_named("old")}, {.bytes = 1});
  add(folder.path(), {job_named("new")}, {.bytes = 1});
  EXPECT_THAT(names_in(folder.path()), ElementsAre("new"));
}

TEST(HistoryBounds, AFileShrinksWhenItsBoundIsLowered) {
  const TemporaryFolder folder;
  add(folder.path(), many_jobs(5000), {});
  const auto before = std::filesystem::file_size(history_path(folder.path()));
  add(folder.path(), many_jobs(1), {.bytes = before / 8});
  EXPECT_LE(std::filesystem::file_size(history_path(folder.path())), before / 4);
}

TEST(HistoryBounds, ANumberIsNeverGivenTwice) {
  const TemporaryFolder folder;
  add(folder.path(), {job_named("old", seconds(86400 * 10))}, {});
  add(folder.path(), {job_named("older", seconds(86400 * 11))}, {.age = seconds(86400)});
  EXPECT_TRUE(jobs_in(folder.path()).empty());
  add(folder.path(), {job_named("new")}, {});
  EXPECT_EQ(jobs_in(folder.path()).at(0).number, 3);
}

TEST(HistoryBounds, WhatADroppedJobHadInOtherTablesGoesWithIt) {
  const TemporaryFolder folder;
  PastJob tagged = job_named("tagged", seconds(86400 * 10));
  tagged.spec.tags["user"] = "ada";
  keep(folder.path(), {tagged});
  add(folder.path(), {job_named("new")}, {.age = seconds(86400)});
  const auto jobs = jobs_in(folder.path());
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_TRUE(jobs[0].spec.tags.empty());
  EXPECT_EQ(jobs[0].record.rails.size(), 2U);
}

}  // namespace
}  // namespace sweetspot::tests
