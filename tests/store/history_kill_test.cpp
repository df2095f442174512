// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "store/history.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/wait.hpp"

namespace sweetspot::tests {
namespace {

/// A process that keeps jobs "1", "2", … and says after each that it is kept, until it is killed.
class Writer {
 public:
  Writer(const std::string& folder, HistoryBounds bounds) {
    int pipe[2];
    if (::pipe(pipe) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(pipe[0]);
      write_for_ever(folder, bounds, pipe[1]);
    }
    ::close(pipe[1]);
    said_ = pipe[0];
  }
  ~Writer() {
    kill_and_wait();
    ::close(said_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Waits for the first, kills it a moment later, wherever it is then. How many jobs it had said to have kept.
  std::size_t killed_after(std::chrono::microseconds moment) {
    std::size_t kept = 0;
    char word = 0;
    if (::read(said_, &word, 1) == 1) ++kept;
    const timespec wait{0, moment.count() * 1000};
    ::ppoll(nullptr, 0, &wait, nullptr);
    kill_and_wait();
    while (::read(said_, &word, 1) == 1) ++kept;
    return kept;
  }

 private:
  [[noreturn]] static void write_for_ever(const std::string& folder, HistoryBounds bounds, int say) {
    auto writer = HistoryWriter::open(folder, bounds);
    while (writer) {
      const PastJob job = job_named("one of many");
      if (!writer->add(std::span(&job, 1), noon) || ::write(say, "k", 1) != 1) break;
    }
    ::_exit(1);
  }
  void kill_and_wait() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  pid_t pid_ = -1;
  int said_ = -1;
};

std::string integrity_of(const std::string& folder) {
  sqlite3* database = nullptr;
  std::string answer = "not opened";
  if (sqlite3_open_v2(history_path(folder).c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
    const auto keep_row = [](void* out, int, char** values, char**) {
      *static_cast<std::string*>(out) = values[0];
      return 0;
    };
    sqlite3_exec(database, "PRAGMA foreign_key_check", keep_row, &answer, nullptr);
    sqlite3_exec(database, "PRAGMA integrity_check", keep_row, &answer, nullptr);
  }
  sqlite3_close(database);
  return answer;
}

/// Twenty lives of writers on one history.
void kill_twenty(std::mt19937& random) {
  const TemporaryFolder folder;
  std::size_t said = 0;
  for (int i = 0; i < 20; ++i) {
    Writer writer(folder.path(), {});
    said += writer.killed_after(std::chrono::microseconds(random() % 4000));
    ASSERT_EQ(integrity_of(folder.path()), "ok") << "after kill " << i;
    const std::size_t kept = jobs_in(folder.path()).size();
    ASSERT_GE(kept, said) << "after kill " << i;
    ASSERT_LE(kept, said + 1) << "one at most was kept and not said";
    said = kept;
  }
  for (const PastJob& job : jobs_in(folder.path())) {
    ASSERT_EQ(job.record.rails.size(), 2U) << "job " << job.number << " is whole";
    ASSERT_EQ(job.record.rails_counted.size(), 1U);
  }
}

TEST(HistoryKill, AWriterThatIsKilledAtAnyMomentLosesNothingItHadKept) {
  std::mt19937 random(20261130);
  for (int history = 0; history < (slowness == 1 ? 6 : 1); ++history) {
    kill_twenty(random);
    if (HasFatalFailure()) return;
  }
}

TEST(HistoryKill, OneThatIsDroppingOldJobsLosesNoneOfTheNewest) {
  const TemporaryFolder folder;
  std::mt19937 random(612);
  const int kills = slowness == 1 ? 60 : 10;
  std::int64_t newest = 0;
  for (int i = 0; i < kills; ++i) {
    Writer writer(folder.path(), {.bytes = 96 * 1024});
    const auto said = static_cast<std::int64_t>(writer.killed_after(std::chrono::microseconds(random() % 4000)));
    ASSERT_EQ(integrity_of(folder.path()), "ok") << "after kill " << i;
    const auto jobs = jobs_in(folder.path());
    ASSERT_GE(jobs.back().number, newest + said) << "after kill " << i;
    newest = jobs.back().number;
    for (std::size_t at = 1; at < jobs.size(); ++at) ASSERT_EQ(jobs[at].number, jobs[at - 1].number + 1);
  }
}

}  // namespace
}  // namespace sweetspot::tests
