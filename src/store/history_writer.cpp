// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/store/history_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "store/columns.hpp"
#include "store/database.hpp"
#include "store/migrations.hpp"

namespace sweetspot {
namespace {

/// The group that owns the folder may read; SQLite gives the files beside it the same rights.
constexpr mode_t file_mode = 0640;
constexpr mode_t folder_mode = 0750;
constexpr int writing_patience_ms = 5000;  // for another writer or a checkpoint
/// Of the rows, when they are too many: so that a full history drops some now and then instead of one each time.
constexpr std::int64_t dropped_share = 16;

Result<void> make_file(const std::string& state_folder, const std::string& path) {
  if (::mkdir(state_folder.c_str(), folder_mode) != 0 && errno != EEXIST)
    return failure("make " + state_folder + ": " + std::strerror(errno), errno);
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, file_mode);
  if (fd < 0 && errno == EEXIST) return {};
  if (fd < 0) return failure("make " + path + ": " + std::strerror(errno), errno);
  (void)::fchmod(fd, file_mode);  // whatever the umask
  ::close(fd);
  return {};
}

Result<void> prepare_to_write(Database& database) {
  sqlite3_busy_timeout(database.handle(), writing_patience_ms);
  // Until the schema is known to be ours, closing must not even tidy up.
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  const auto version = schema_of(database);
  if (!version) return failure(version.error());
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  // It counts in an empty file only, and before that becomes a WAL one.
  if (*version == 0) {
    if (auto set = database.run("PRAGMA auto_vacuum=INCREMENTAL"); !set) return set;
  }
  if (auto set = database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                              "PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=0;");
      !set)
    return set;
  // Readers that may not write in the folder need log and index to be there.
  int keep = 1;
  sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
  return migrate(database);
}

std::string insert_statement() {
  std::string columns;
  std::string values;
  const auto add = [&](const char* column, const auto&) {
    columns += (columns.empty() ? "" : ",") + std::string(column);
    values += values.empty() ? "?" : ",?";
  };
  const PastJob any;
  visit_columns(any, add);
  return "INSERT INTO jobs (" + columns + ") VALUES (" + values + ")";
}

Result<void> insert_list(Database& database, std::int64_t job, const char* list,
                         const std::vector<std::string>& items) {
  if (items.empty()) return {};
  auto statement = database.prepare("INSERT INTO job_lists VALUES (?,?,?,?)");
  if (!statement) return failure(std::move(statement.error()));
  std::int64_t position = 0;
  for (const std::string& item : items) {
    statement->bind_integer(1, job);
    statement->bind_text(2, list);
    statement->bind_integer(3, position++);
    statement->bind_text(4, item);
    if (auto done = statement->step(); !done) return failure(std::move(done.error()));
    statement->reset();
  }
  return {};
}

Result<void> insert_rails(Database& database, std::int64_t job, const std::vector<RailEnergy>& rails) {
  auto statement = database.prepare("INSERT INTO job_rails VALUES (?,?,?,?,?)");
  if (!statement) return failure(std::move(statement.error()));
  std::int64_t position = 0;
  for (const RailEnergy& rail : rails) {
    ColumnBinder out{*statement};
    out("number", job);
    out("position", position++);
    out("name", rail.name);
    out("energy_j", rail.energy);
    out("mean_power_w", rail.mean_power);
    if (auto done = statement->step(); !done) return failure(std::move(done.error()));
    statement->reset();
  }
  return {};
}

Result<void> insert_tags(Database& database, std::int64_t job, const std::map<std::string, std::string>& tags) {
  if (tags.empty()) return {};
  auto statement = database.prepare("INSERT INTO job_tags VALUES (?,?,?)");
  if (!statement) return failure(std::move(statement.error()));
  for (const auto& [tag, value] : tags) {
    statement->bind_integer(1, job);
    statement->bind_text(2, tag);
    statement->bind_text(3, value);
    if (auto done = statement->step(); !done) return failure(std::move(done.error()));
    statement->reset();
  }
  return {};
}

}  // namespace

Result<HistoryWriter> HistoryWriter::open(const std::string& state_folder, HistoryBounds bounds) {
  const std::string path = history_path(state_folder);
  if (auto made = make_file(state_folder, path); !made) return failure(std::move(made.error()));
  auto database = Database::open(path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW);
  if (!database) return failure(std::move(database.error()));
  if (auto ready = prepare_to_write(**database); !ready) return failure(std::move(ready.error()));
  return HistoryWriter(*std::move(database), bounds);
}

HistoryWriter::HistoryWriter(std::unique_ptr<Database> database, HistoryBounds bounds)
    : database_(std::move(database)), bounds_(bounds) {}
HistoryWriter::HistoryWriter(HistoryWriter&&) noexcept = default;
HistoryWriter& HistoryWriter::operator=(HistoryWriter&&) noexcept = default;
HistoryWriter::~HistoryWriter() = default;

Result<void> HistoryWriter::add(std::span<const PastJob> jobs, std::chrono::system_clock::time_point now) {
  auto transaction = Transaction::begin(*database_, "BEGIN IMMEDIATE");
  if (!transaction) return failure(std::move(transaction.error()));
  for (const PastJob& job : jobs) {
    if (auto inserted = insert(job); !inserted) return inserted;
  }
  if (auto dropped = drop_old(now); !dropped) return dropped;
  if (auto dropped = drop_beyond_size(); !dropped) return dropped;
  if (auto committed = transaction->commit(); !committed) return committed;
  return give_back_free_pages();
}

Result<void> HistoryWriter::insert(const PastJob& job) {
  static const std::string sql = insert_statement();
  auto statement = database_->prepare(sql);
  if (!statement) return failure(std::move(statement.error()));
  visit_columns(job, ColumnBinder{*statement});
  if (auto done = statement->step(); !done) return failure(std::move(done.error()));
  const std::int64_t number = sqlite3_last_insert_rowid(database_->handle());
  if (auto done = insert_rails(*database_, number, job.record.rails); !done) return done;
  if (auto done = insert_list(*database_, number, "path", job.record.decision.path); !done) return done;
  if (auto done = insert_list(*database_, number, "counted", job.record.rails_counted); !done) return done;
  if (auto done = insert_list(*database_, number, "left_out", job.record.rails_left_out); !done) return done;
  if (job.spec.rails) {
    if (auto done = insert_list(*database_, number, "asked", *job.spec.rails); !done) return done;
  }
  return insert_tags(*database_, number, job.spec.tags);
}

Result<void> HistoryWriter::drop_old(std::chrono::system_clock::time_point now) {
  if (!bounds_.age) return {};
  auto statement = database_->prepare("DELETE FROM jobs WHERE started_ns + duration_ns < ?");
  if (!statement) return failure(std::move(statement.error()));
  ColumnBinder{*statement}.bind(1, std::chrono::duration_cast<Duration>(now.time_since_epoch()) - *bounds_.age);
  auto done = statement->step();
  return done ? Result<void>{} : failure(std::move(done.error()));
}

Result<void> HistoryWriter::drop_beyond_size() {
  while (bounds_.bytes) {
    const auto used = database_->number(
        "SELECT (page_count - freelist_count) * page_size"
        " FROM pragma_page_count, pragma_freelist_count, pragma_page_size");
    if (!used) return failure(used.error());
    const auto count = database_->number("SELECT count(*) FROM jobs");
    if (!count) return failure(count.error());
    // The newest stays, however small the bound.
    if (static_cast<std::uint64_t>(*used) <= *bounds_.bytes || *count <= 1) return {};
    const std::int64_t dropped = std::min(*count / dropped_share + 1, *count - 1);
    const std::string oldest = "(SELECT number FROM jobs ORDER BY number LIMIT " + std::to_string(dropped) + ")";
    if (auto done = database_->run("DELETE FROM jobs WHERE number IN " + oldest); !done) return done;
  }
  return {};
}

/// Pages that dropped jobs leave free are used again; only when they are many, after a bound was lowered, does the file
/// shrink.
Result<void> HistoryWriter::give_back_free_pages() {
  const auto many = database_->number(
      "SELECT freelist_count > 64 AND 4 * freelist_count > page_count FROM pragma_freelist_count, pragma_page_count");
  if (!many) return failure(many.error());
  return *many != 0 ? database_->run("PRAGMA incremental_vacuum") : Result<void>{};
}

}  // namespace sweetspot
