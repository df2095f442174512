// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "store/history.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::ElementsAre;

/// Who may read as the folder's group does, and write nothing in it.
class ReaderOfTheGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    std::filesystem::permissions(folder(), std::filesystem::perms{0750});
  }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

  /// The exit status of a process of another user, and of the folder's group: how many jobs it could read, or 100.
  [[nodiscard]] int jobs_it_can_read() const {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setgroups(0, nullptr) != 0 || ::setuid(65534) != 0) ::_exit(101);
      const auto reader = HistoryReader::open(folder());
      int jobs = 0;
      const bool read = reader && reader->records({}, [&](const PastJob&) { return ++jobs < 90; });
      if (!reader) (void)!::write(2, reader.error().message.data(), reader.error().message.size());
      ::_exit(read ? jobs : 100);
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 102;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ReaderOfTheGroup, ReadsWhileAWriterHasItOpen) {
  auto writer = HistoryWriter::open(folder(), {});
  ASSERT_TRUE(writer) << writer.error().message;
  const PastJob job = job_named("1");
  ASSERT_TRUE(writer->add(std::span(&job, 1), noon));
  EXPECT_EQ(jobs_it_can_read(), 1);
  ASSERT_TRUE(writer->add(std::span(&job, 1), noon));
  EXPECT_EQ(jobs_it_can_read(), 2);
}

TEST_F(ReaderOfTheGroup, ReadsWhileNobodyHasItOpen) {
  keep(folder(), {job_named("1")});
  EXPECT_EQ(jobs_it_can_read(), 1);
  keep(folder(), {job_named("2")});
  EXPECT_EQ(jobs_it_can_read(), 2);
}

TEST_F(ReaderOfTheGroup, ReadsWhenSomebodyTidiedLogAndIndexAway) {
  keep(folder(), {job_named("1")});
  std::filesystem::remove(history_path(folder()) + "-wal");
  std::filesystem::remove(history_path(folder()) + "-shm");
  EXPECT_EQ(jobs_it_can_read(), 1);
}

TEST_F(ReaderOfTheGroup, ReadsWhatAKilledWriterLeftInTheLog) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto writer = HistoryWriter::open(folder(), {});
    const PastJob job = job_named("1");
    if (!writer || !writer->add(std::span(&job, 1), noon)) ::_exit(1);
    ::_exit(0);  // without closing: as good as killed
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_GT(std::filesystem::file_size(history_path(folder()) + "-wal"), 0U);
  EXPECT_EQ(jobs_it_can_read(), 1);
}

TEST_F(ReaderOfTheGroup, OthersReadNothing) {
  keep(folder(), {job_named("1")});
  ASSERT_EQ(::chown(folder().c_str(), 0, 65533), 0);
  for (const char* beside : {"", "-wal", "-shm"})
    ASSERT_EQ(::chown((history_path(folder()) + beside).c_str(), 0, 65533), 0) << beside;
  EXPECT_EQ(jobs_it_can_read(), 100);
}

TEST(HistoryRights, OnlyOwnerAndGroupMayReadTheFiles) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0077);
  auto writer = HistoryWriter::open(folder.path(), {});
  const PastJob job = job_named("1");
  const bool added = writer && writer->add(std::span(&job, 1), noon);
  ::umask(before);
  ASSERT_TRUE(added);
  struct stat status {};
  for (const char* beside : {"", "-wal", "-shm"}) {
    ASSERT_EQ(::stat((history_path(folder.path()) + beside).c_str(), &status), 0) << beside;
    EXPECT_EQ(status.st_mode & 07777U, 0640U) << beside;
  }
}

}  // namespace
}  // namespace sweetspot::tests
