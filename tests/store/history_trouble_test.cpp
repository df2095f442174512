// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "store/history.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(HistoryTrouble, AReaderIsToldWhenThereIsNoHistoryYet) {
  const TemporaryFolder folder;
  const auto reader = HistoryReader::open(folder.path());
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ENOENT);
  EXPECT_THAT(reader.error().message, HasSubstr(history_path(folder.path())));
}

TEST(HistoryTrouble, AnEmptyFileIsNoHistoryYetEither) {
  const TemporaryFolder folder;
  write_file(history_path(folder.path()), "");
  const auto reader = HistoryReader::open(folder.path());
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ENOENT);
}

TEST(HistoryTrouble, AFileThatIsNoDatabaseIsRefusedAndLeftAsItIs) {
  const TemporaryFolder folder;
  const std::string text(20000, 'x');
  write_file(history_path(folder.path()), text);
  const auto writer = HistoryWriter::open(folder.path(), {});
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr("history.db: file is not a database"));
  EXPECT_FALSE(HistoryReader::open(folder.path()));
  std::ifstream file(history_path(folder.path()));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

TEST(HistoryTrouble, ALinkInItsPlaceIsNotFollowed) {
  const TemporaryFolder folder;
  const std::string elsewhere = folder.path() + "/elsewhere";
  ASSERT_EQ(::symlink(elsewhere.c_str(), history_path(folder.path()).c_str()), 0);
  EXPECT_FALSE(HistoryWriter::open(folder.path(), {}));
  EXPECT_FALSE(std::filesystem::exists(elsewhere));
}

TEST(HistoryTrouble, ADamagedPageIsAnErrorAndNotAnInvention) {
  const TemporaryFolder folder;
  std::vector<PastJob> jobs(400, job_named("one of many"));
  {
    auto writer = HistoryWriter::open(folder.path(), {});
    ASSERT_TRUE(writer && writer->add(jobs, noon));
  }
  const auto size = std::filesystem::file_size(history_path(folder.path()));
  {
    std::fstream file(history_path(folder.path()), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8192);
    file << std::string(static_cast<std::size_t>(size) - 16384, '\xee');
  }
  auto writer = HistoryWriter::open(folder.path(), {});
  const bool added = writer && writer->add(jobs, noon);
  EXPECT_FALSE(added);
  const auto reader = HistoryReader::open(folder.path());
  EXPECT_FALSE(reader && reader->records({}, [](const PastJob&) { return true; }));
}

/// A file of this process cannot grow beyond `bytes` while it lives: for SQLite a failed write, like a full disk.
class LimitedFiles {
 public:
  explicit LimitedFiles(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LimitedFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  LimitedFiles(const LimitedFiles&) = delete;
  LimitedFiles& operator=(const LimitedFiles&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST(HistoryTrouble, AFileThatCannotGrowIsAnErrorAndWhatWasKeptStays) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("kept")});
  {
    const LimitedFiles limited(128 * 1024);
    auto writer = HistoryWriter::open(folder.path(), {});
    ASSERT_TRUE(writer) << writer.error().message;
    const std::vector<PastJob> too_many(1000, job_named("too much"));
    EXPECT_FALSE(writer->add(too_many, noon));
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("kept"));
  keep(folder.path(), {job_named("there is room again")});
  EXPECT_THAT(names_in(folder.path()), ElementsAre("kept", "there is room again"));
}

TEST(HistoryTrouble, AFullDiskIsSaidAndTheNextJobIsKeptWhenThereIsRoomAgain) {
  const TemporaryFolder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=512k") != 0)
    GTEST_SKIP() << "a file system of its own takes root's rights";
  keep(folder.path(), {job_named("kept")});
  {
    auto writer = HistoryWriter::open(folder.path(), {});
    ASSERT_TRUE(writer) << writer.error().message;
    write_file(folder.path() + "/ballast", std::string(1024 * 1024, 'x'));
    const std::vector<PastJob> jobs(500, job_named("too much"));
    const auto added = writer->add(jobs, noon);
    ASSERT_FALSE(added);
    EXPECT_THAT(added.error().message, HasSubstr("full"));
    std::filesystem::remove(folder.path() + "/ballast");
    const PastJob next = job_named("next");
    EXPECT_TRUE(writer->add(std::span(&next, 1), noon));
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("kept", "next"));
  EXPECT_EQ(::umount(folder.path().c_str()), 0);
}

}  // namespace
}  // namespace sweetspot::tests
