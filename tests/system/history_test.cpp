// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "sweetspot/store/history_reader.hpp"
#include "tests/system/scene.hpp"

// Finished jobs get into the history, and nothing that happens to it reaches a training.
namespace sweetspot::tests {
namespace {

using HistoryOfTheDaemon = SystemTest;

std::vector<PastJob> jobs_of(const RunningDaemon& daemon) {
  std::vector<PastJob> jobs;
  const auto reader = HistoryReader::open(daemon.state_dir());
  if (reader) {
    (void)reader->records({}, [&](const PastJob& job) {
      jobs.push_back(job);
      return true;
    });
  }
  return jobs;
}

bool has_jobs(const RunningDaemon& daemon, std::size_t count) {
  return eventually([&] { return jobs_of(daemon).size() == count; });
}

bool has_trouble(const RunningDaemon& daemon) {
  return daemon.health().count("history") > 0;
}

/// Another program that writes and does not come to an end.
class HistoryLock {
 public:
  explicit HistoryLock(const RunningDaemon& daemon) {
    EXPECT_EQ(sqlite3_open(history_path(daemon.state_dir()).c_str(), &database_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~HistoryLock() { sqlite3_close(database_); }
  HistoryLock(const HistoryLock&) = delete;
  HistoryLock& operator=(const HistoryLock&) = delete;

 private:
  sqlite3* database_ = nullptr;
};

json run_job(VarlinkTestClient& client, const json& parameters) {
  const json job = client.ask("StartJob", parameters);
  return client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record");
}

TEST_F(HistoryOfTheDaemon, AFinishedJobIsKeptAsItsClientWasTold) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json record =
      run_job(client, {{"spec", {{"name", "bert"}, {"layers", 24}, {"policy", "none"}, {"tags", {{"user", "ada"}}}}}});
  ASSERT_TRUE(has_jobs(daemon, 1));
  const PastJob job = jobs_of(daemon)[0];
  EXPECT_EQ(job.number, 1);
  EXPECT_EQ(job.record.job_id, record.at("job_id"));
  EXPECT_EQ(job.record.name, "bert");
  EXPECT_EQ(job.record.energy.has_value(), !record.at("energy_j").is_null());
  EXPECT_EQ(job.record.rails.size(), record.at("rails").size());
  EXPECT_EQ(job.spec.layers, 24);
  EXPECT_EQ(job.spec.tags.at("user"), "ada");
}

TEST_F(HistoryOfTheDaemon, ALostJobIsKeptToo) {
  const RunningDaemon daemon(board().root());
  {
    auto client = daemon.connect();
    (void)client.ask("StartJob", {{"spec", {{"policy", "none"}}}});
  }
  ASSERT_TRUE(has_jobs(daemon, 1));
  EXPECT_EQ(jobs_of(daemon)[0].record.ended_by, EndedBy::lost);
}

TEST_F(HistoryOfTheDaemon, JobsThatAStopEndsAreKeptBeforeTheDaemonIsGone) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  for (int i = 0; i < 3; ++i) (void)client.ask("StartJob", {{"spec", {{"policy", "none"}}}});
  EXPECT_EQ(daemon.terminate(), 0);
  const auto jobs = jobs_of(daemon);
  ASSERT_EQ(jobs.size(), 3U);
  for (const PastJob& job : jobs) EXPECT_EQ(job.record.ended_by, EndedBy::interrupted);
}

TEST_F(HistoryOfTheDaemon, ManyJobsInARowAreAllKept) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  for (int i = 0; i < 300; ++i) (void)run_job(client, {{"spec", {{"policy", "none"}, {"name", std::to_string(i)}}}});
  ASSERT_TRUE(has_jobs(daemon, 300));
  const auto jobs = jobs_of(daemon);
  for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(jobs[i].record.name, std::to_string(i));
}

TEST_F(HistoryOfTheDaemon, ADamagedHistoryIsSaidOnceAndJobsGoOn) {
  const RunningDaemon daemon(board().root());
  std::filesystem::create_directory(daemon.state_dir());
  std::ofstream(daemon.state_dir() + "/history.db") << std::string(9000, 'x');
  auto client = daemon.connect();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run_job(client, {{"spec", {{"policy", "none"}}}}).at("ended_by"), "client");
  EXPECT_TRUE(eventually([&] { return has_trouble(daemon); }));
  EXPECT_EQ(run_job(client, {{"spec", {{"policy", "none"}}}}).at("ended_by"), "client");
  const std::string said = "history: finished jobs are in the journal only";
  const std::string log = daemon.said();
  const std::size_t first = log.find(said);
  ASSERT_NE(first, std::string::npos) << log;
  EXPECT_EQ(log.find(said, first + 1), std::string::npos) << log;
  std::filesystem::remove(daemon.state_dir() + "/history.db");
  (void)run_job(client, {{"spec", {{"policy", "none"}}}});
  EXPECT_TRUE(eventually([&] { return !has_trouble(daemon); })) << "once it is moved away, all is well again";
  // The job before may have come just as the file went.
  EXPECT_TRUE(eventually([&] { return !jobs_of(daemon).empty(); }));
}

TEST_F(HistoryOfTheDaemon, AStateFolderThatCannotBeMadeStopsNoJob) {
  RunningDaemon daemon(board().root());
  std::ofstream(daemon.state_dir()) << "a file in its place";
  auto client = daemon.connect();
  EXPECT_EQ(run_job(client, {{"spec", {{"policy", "none"}}}}).at("ended_by"), "client");
  EXPECT_TRUE(eventually([&] { return has_trouble(daemon); }));
  EXPECT_EQ(daemon.terminate(), 0);
}

TEST_F(HistoryOfTheDaemon, NothingIsKeptWhenItIsSwitchedOff) {
  RunningDaemon daemon(board().root(), {.config = R"({"history": {"enabled": false}})"});
  auto client = daemon.connect();
  (void)run_job(client, {{"spec", {{"policy", "none"}}}});
  EXPECT_EQ(daemon.terminate(), 0);
  EXPECT_FALSE(std::filesystem::exists(daemon.state_dir()));
}

TEST_F(HistoryOfTheDaemon, AnotherProcessThatHoldsTheHistoryHoldsUpNoJob) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  (void)run_job(client, {{"spec", {{"policy", "none"}}}});
  ASSERT_TRUE(has_jobs(daemon, 1));
  {
    const HistoryLock lock(daemon);
    for (int i = 0; i < 20; ++i) {
      const auto asked = Clock::now();
      (void)run_job(client, {{"spec", {{"policy", "none"}}}});
      EXPECT_LT(Clock::now() - asked, std::chrono::seconds(2)) << "less than it would wait for the lock";
    }
  }
  EXPECT_TRUE(has_jobs(daemon, 21));
}

}  // namespace
}  // namespace sweetspot::tests
