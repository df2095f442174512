// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/store/history_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "store/columns.hpp"
#include "store/database.hpp"
#include "store/migrations.hpp"

namespace sweetspot {
namespace {

constexpr int reading_patience_ms = 2000;  // for a writer that recovers the log

/// An absolute or relative path as the URI that SQLite takes.
std::string immutable_uri(const std::string& path) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return uri + "?immutable=1";
}

Result<void> can_be_read(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return failure("open " + path + ": " + std::strerror(errno), errno);
  struct stat status {};
  const bool file = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  ::close(fd);
  return file ? Result<void>{} : failure(path + " is not a file", EINVAL);
}

/// Whether everything written is in the file itself, and nothing in a log beside it.
bool has_no_log(const std::string& path) {
  struct stat status {};
  return ::stat((path + "-wal").c_str(), &status) != 0 || status.st_size == 0;
}

Result<std::unique_ptr<Database>> open_at(const std::string& uri, const std::string& path) {
  auto database = Database::open(uri, path, SQLITE_OPEN_READONLY);
  if (!database) return database;
  sqlite3_busy_timeout((*database)->handle(), reading_patience_ms);
  const auto version = schema_of(**database);
  if (!version) return failure(version.error());
  if (*version == 0) return failure(path + ": no job has been kept yet", ENOENT);
  return database;
}

std::string columns_of_jobs() {
  std::string columns = "number";
  PastJob any;
  visit_columns(any, [&](const char* column, const auto&) { columns += "," + std::string(column); });
  return columns;
}

std::string conditions_of(const HistoryFilter& filter) {
  std::string conditions = " WHERE 1";
  if (filter.number) conditions += " AND number = :number";
  if (filter.since) conditions += " AND started_ns + duration_ns >= :since";
  if (filter.before) conditions += " AND started_ns + duration_ns < :before";
  if (filter.policy) conditions += " AND policy = :policy";
  if (filter.name) conditions += " AND name = :name";
  return conditions;
}

std::string query_of(const HistoryFilter& filter) {
  const std::string conditions = conditions_of(filter);
  std::string query = "SELECT " + columns_of_jobs() + " FROM jobs" + conditions;
  if (filter.last)
    query += " AND number IN (SELECT number FROM jobs" + conditions + " ORDER BY number DESC LIMIT :last)";
  return query + " ORDER BY number";
}

Result<Statement> statement_of(Database& database, const HistoryFilter& filter) {
  auto statement = database.prepare(query_of(filter));
  if (!statement) return statement;
  ColumnBinder out{*statement};
  const auto bind = [&](const char* parameter, const auto& value) {
    const int at = value ? statement->parameter(parameter) : 0;
    if (at > 0) out.bind(at, *value);
  };
  bind(":number", filter.number);
  bind(":since", filter.since);
  bind(":before", filter.before);
  bind(":policy", filter.policy);
  bind(":name", filter.name);
  bind(":last", filter.last);
  return statement;
}

/// What a job has in other tables, each found by its number.
class Belongings {
 public:
  static Result<Belongings> of(Database& database) {
    auto rails =
        database.prepare("SELECT name, energy_j, mean_power_w FROM job_rails WHERE number = ? ORDER BY position");
    if (!rails) return failure(std::move(rails.error()));
    auto lists = database.prepare("SELECT list, item FROM job_lists WHERE number = ? ORDER BY list, position");
    if (!lists) return failure(std::move(lists.error()));
    auto tags = database.prepare("SELECT tag, value FROM job_tags WHERE number = ?");
    if (!tags) return failure(std::move(tags.error()));
    return Belongings(*std::move(rails), *std::move(lists), *std::move(tags));
  }

  Result<void> add_to(PastJob& job) {
    auto rails = for_each_row(rails_, job.number, [&] {
      ColumnReader in{rails_};
      RailEnergy& rail = job.record.rails.emplace_back();
      in("name", rail.name);
      in("energy_j", rail.energy);
      in("mean_power_w", rail.mean_power);
    });
    if (!rails) return rails;
    auto lists = for_each_row(lists_, job.number, [&] { add_item(job, lists_.text(0), lists_.text(1)); });
    if (!lists) return lists;
    return for_each_row(tags_, job.number, [&] { job.spec.tags[tags_.text(0)] = tags_.text(1); });
  }

 private:
  Belongings(Statement rails, Statement lists, Statement tags)
      : rails_(std::move(rails)), lists_(std::move(lists)), tags_(std::move(tags)) {}

  static void add_item(PastJob& job, const std::string& list, std::string item) {
    if (list == "path")
      job.record.decision.path.push_back(std::move(item));
    else if (list == "counted")
      job.record.rails_counted.push_back(std::move(item));
    else if (list == "left_out")
      job.record.rails_left_out.push_back(std::move(item));
    else if (list == "asked")
      (job.spec.rails ? *job.spec.rails : job.spec.rails.emplace()).push_back(std::move(item));
  }

  static Result<void> for_each_row(Statement& statement, std::int64_t number, const auto& take) {
    statement.bind_integer(1, number);
    while (true) {
      const auto row = statement.step();
      if (!row) return failure(row.error());
      if (!*row) break;
      take();
    }
    statement.reset();
    return {};
  }

  Statement rails_;
  Statement lists_;
  Statement tags_;
};

PastJob job_in(const Statement& row) {
  PastJob job;
  job.number = row.integer(0);
  visit_columns(job, ColumnReader{row, 1});
  job.spec.name = job.record.name;
  return job;
}

}  // namespace

Result<HistoryReader> HistoryReader::open(const std::string& state_folder) {
  const std::string path = history_path(state_folder);
  if (auto readable = can_be_read(path); !readable) return failure(std::move(readable.error()));
  auto database = open_at(path, path);
  // Without a log, and without a right to make one in the folder, SQLite wants to be told that nothing will change.
  const bool no_right = !database && (database.error().code == EACCES || database.error().code == EROFS ||
                                      database.error().code == ENOENT);
  if (no_right && has_no_log(path) && ::access(state_folder.c_str(), W_OK) != 0)
    database = open_at(immutable_uri(path), path);
  if (!database) return failure(std::move(database.error()));
  return HistoryReader(*std::move(database));
}

HistoryReader::HistoryReader(std::unique_ptr<Database> database) : database_(std::move(database)) {}
HistoryReader::HistoryReader(HistoryReader&&) noexcept = default;
HistoryReader& HistoryReader::operator=(HistoryReader&&) noexcept = default;
HistoryReader::~HistoryReader() = default;

Result<void> HistoryReader::records(const HistoryFilter& filter, const Visit& visit) const {
  const auto moment = Transaction::begin(*database_, "BEGIN");
  if (!moment) return failure(moment.error());
  auto statement = statement_of(*database_, filter);
  if (!statement) return failure(std::move(statement.error()));
  auto belongings = Belongings::of(*database_);
  if (!belongings) return failure(std::move(belongings.error()));
  while (true) {
    const auto row = statement->step();
    if (!row) return failure(row.error());
    if (!*row) return {};
    PastJob job = job_in(*statement);
    if (auto added = belongings->add_to(job); !added) return added;
    if (!visit(job)) return {};
  }
}

}  // namespace sweetspot
