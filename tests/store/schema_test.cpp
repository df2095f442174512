// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "store/history.hpp"
#include "store/migrations.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void run_sql(const std::string& folder, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(history_path(folder).c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Schema, AHistoryOfALaterVersionIsRefusedInWordsAndNotTouched) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("kept")});
  const std::string later = std::to_string(newest_schema() + 1);
  run_sql(folder.path(), "ALTER TABLE jobs ADD COLUMN of_tomorrow TEXT; PRAGMA user_version=" + later);
  const std::string before = bytes_of(history_path(folder.path()));
  const auto writer = HistoryWriter::open(folder.path(), {.age = seconds(1), .bytes = 1});
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr("was written by a later version of sweetspotd (schema " + later));
  const auto reader = HistoryReader::open(folder.path());
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().message, HasSubstr("later version"));
  EXPECT_TRUE(bytes_of(history_path(folder.path())) == before);
}

TEST(Schema, ADatabaseOfAnotherProgramIsRefusedAndNotTouched) {
  const TemporaryFolder folder;
  run_sql(folder.path(), "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')");
  const std::string before = bytes_of(history_path(folder.path()));
  const auto writer = HistoryWriter::open(folder.path(), {});
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr("of another program"));
  EXPECT_FALSE(HistoryReader::open(folder.path()));
  EXPECT_TRUE(bytes_of(history_path(folder.path())) == before);
}

TEST(Schema, AHistoryThatWasBegunAndNotMadeIsMadeNow) {
  const TemporaryFolder folder;
  run_sql(folder.path(), "PRAGMA journal_mode=WAL");  // killed before the first migration
  keep(folder.path(), {job_named("first")});
  EXPECT_THAT(names_in(folder.path()), ElementsAre("first"));
}

TEST(Schema, OpeningItAgainChangesNothing) {
  const TemporaryFolder folder;
  keep(folder.path(), {job_named("kept")});
  const std::string before = bytes_of(history_path(folder.path()));
  keep(folder.path(), {});
  EXPECT_TRUE(bytes_of(history_path(folder.path())) == before);
}

TEST(Schema, WritersThatMakeItAtTheSameTimeMakeItOnce) {
  const TemporaryFolder folder;
  auto first = HistoryWriter::open(folder.path(), {});
  auto second = HistoryWriter::open(folder.path(), {});
  ASSERT_TRUE(first && second);
  const PastJob a = job_named("a");
  const PastJob b = job_named("b");
  ASSERT_TRUE(first->add(std::span(&a, 1), noon));
  ASSERT_TRUE(second->add(std::span(&b, 1), noon));
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace sweetspot::tests
