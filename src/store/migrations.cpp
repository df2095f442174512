// SPDX-License-Identifier: Apache-2.0
#include "store/migrations.hpp"

#include <array>
#include <cerrno>
#include <string>

#include "store/database.hpp"

namespace sweetspot {
namespace {

/// "swee": tells our files from others (application_id).
constexpr std::int64_t application_id = 0x73776565;

// 1: finished jobs. Times are nanoseconds since 1970 (started) or long; what was not measured is NULL. The columns from
// model_type on are what the job had said of itself.
constexpr const char* jobs_schema = R"(
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL, name TEXT,
  policy TEXT NOT NULL, frequency_hz INTEGER, reason TEXT NOT NULL, clamped_from_hz INTEGER, fallback INTEGER NOT NULL,
  applied_hz INTEGER, share_at_clock REAL,
  started_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, steps INTEGER,
  energy_j REAL, mean_power_w REAL, samples INTEGER NOT NULL, coverage REAL NOT NULL, longest_gap_ns INTEGER NOT NULL,
  energy_valid INTEGER NOT NULL, gpu_load_mean REAL, shared_with INTEGER NOT NULL, share_j REAL,
  power_mode TEXT, board TEXT, ended_by TEXT NOT NULL, uid INTEGER NOT NULL, pid INTEGER NOT NULL, comm TEXT NOT NULL,
  model_type TEXT, layers INTEGER, hidden_size INTEGER, mean_sequence_length REAL, batch_size INTEGER,
  total_steps INTEGER, asked_policy TEXT, asked_frequency_hz INTEGER, objective TEXT, max_slowdown REAL,
  finish_within_s REAL, energy_delay INTEGER, asked_pid INTEGER, lease_s REAL);
CREATE TABLE job_rails (
  number INTEGER NOT NULL REFERENCES jobs(number) ON DELETE CASCADE, position INTEGER NOT NULL,
  name TEXT NOT NULL, energy_j REAL, mean_power_w REAL,
  PRIMARY KEY (number, position)) WITHOUT ROWID;
-- list: path (the questions of the tree), counted and left_out (rails of the energy), asked (rails the job named).
CREATE TABLE job_lists (
  number INTEGER NOT NULL REFERENCES jobs(number) ON DELETE CASCADE, list TEXT NOT NULL, position INTEGER NOT NULL,
  item TEXT NOT NULL,
  PRIMARY KEY (number, list, position)) WITHOUT ROWID;
CREATE TABLE job_tags (
  number INTEGER NOT NULL REFERENCES jobs(number) ON DELETE CASCADE, tag TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (number, tag)) WITHOUT ROWID;
)";

/// Entry n makes schema n + 1 of schema n. Entries are only ever appended: histories in the field are of any of them.
constexpr std::array migrations{jobs_schema};

Result<void> migrate_to(Database& database, std::int64_t version) {
  auto transaction = Transaction::begin(database, "BEGIN IMMEDIATE");
  if (!transaction) return failure(std::move(transaction.error()));
  // Another process may have done it meanwhile.
  const auto now = database.number("PRAGMA user_version");
  if (!now) return failure(now.error());
  if (*now >= version) return {};
  if (auto made = database.run(migrations.at(static_cast<std::size_t>(version - 1))); !made) return made;
  auto marked = database.run("PRAGMA application_id=" + std::to_string(application_id) +
                             "; PRAGMA user_version=" + std::to_string(version) + ";");
  return marked ? transaction->commit() : marked;
}

}  // namespace

std::int64_t newest_schema() {
  return static_cast<std::int64_t>(migrations.size());
}

Result<std::int64_t> schema_of(Database& database) {
  const auto version = database.number("PRAGMA user_version");
  if (!version) return failure(version.error());
  const auto owner = database.number("PRAGMA application_id");
  if (!owner) return failure(owner.error());
  const auto tables = database.number("SELECT count(*) FROM sqlite_master");
  if (!tables) return failure(tables.error());
  if (*owner != application_id && (*version != 0 || *tables != 0))
    return failure(database.path() + " is a database of another program, not a history of sweetspotd", EINVAL);
  if (*version > newest_schema())
    return failure(database.path() + " was written by a later version of sweetspotd (schema " +
                       std::to_string(*version) + ", this one knows up to " + std::to_string(newest_schema()) +
                       "); it is left as it is",
                   EPROTONOSUPPORT);
  return *version;
}

Result<void> migrate(Database& database) {
  auto version = schema_of(database);
  if (!version) return failure(std::move(version.error()));
  for (std::int64_t next = *version + 1; next <= newest_schema(); ++next) {
    if (auto done = migrate_to(database, next); !done) return done;
  }
  return {};
}

}  // namespace sweetspot
