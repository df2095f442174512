// SPDX-License-Identifier: Apache-2.0
#include "store/database.hpp"

#include <cerrno>
#include <utility>

namespace sweetspot {
namespace {

/// The errno that says most nearly what SQLite says.
int errno_of(sqlite3* handle) {
  switch (sqlite3_errcode(handle)) {
    case SQLITE_FULL:
      return ENOSPC;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return EBUSY;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return EBADMSG;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return EACCES;
    default:
      return sqlite3_system_errno(handle);
  }
}

Error error_of(sqlite3* handle, const std::string& path) {
  const char* words = handle != nullptr ? sqlite3_errmsg(handle) : "out of memory";
  return Error{path + ": " + words, handle != nullptr ? errno_of(handle) : ENOMEM};
}

}  // namespace

void Statement::bind_integer(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
}
void Statement::bind_real(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter, value);
}
void Statement::bind_text(int parameter, std::string_view value) {
  // An empty view may point nowhere, which SQLite would take for NULL.
  const char* begin = value.empty() ? "" : value.data();
  // The macro's cast is SQLite's own.
  sqlite3_bind_text64(statement_.get(), parameter, begin, value.size(), reinterpret_cast<sqlite3_destructor_type>(-1),
                      SQLITE_UTF8);  // NOLINT(performance-no-int-to-ptr)
}
void Statement::bind_null(int parameter) {
  sqlite3_bind_null(statement_.get(), parameter);
}

int Statement::parameter(const char* name) const {
  return sqlite3_bind_parameter_index(statement_.get(), name);
}

Result<bool> Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  sqlite3* handle = sqlite3_db_handle(statement_.get());
  const char* file = sqlite3_db_filename(handle, "main");
  return failure(error_of(handle, file != nullptr ? file : "history"));
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}
std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {reinterpret_cast<const char*>(text), size};
}

Result<std::unique_ptr<Database>> Database::open(const std::string& uri, const std::string& path, int flags) {
  sqlite3* handle = nullptr;
  const int status = sqlite3_open_v2(uri.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nullptr);
  std::unique_ptr<Database> database(new Database(handle, path));
  if (status != SQLITE_OK) return failure(database->error());
  // A damaged or prepared file must not make SQLite run what stands in its schema, nor trust its pages.
  if (auto set = database->run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-256;"); !set)
    return failure(std::move(set.error()));
  return database;
}

Result<void> Database::run(const std::string& sql) const {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return failure(error());
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
    return failure(error());
  return Statement(statement);
}

Result<std::int64_t> Database::number(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return failure(std::move(statement.error()));
  auto row = statement->step();
  if (!row) return failure(std::move(row.error()));
  return *row ? statement->integer(0) : 0;
}

Error Database::error() const {
  return error_of(handle(), path_);
}

Result<Transaction> Transaction::begin(Database& database, const std::string& begin) {
  if (auto begun = database.run(begin); !begun) return failure(std::move(begun.error()));
  return Transaction(database);
}

Transaction::~Transaction() {
  // SQLite has rolled back by itself after a full disk or a failed read.
  if (database_ != nullptr && sqlite3_get_autocommit(database_->handle()) == 0) (void)database_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  auto committed = database_->run("COMMIT");
  if (committed) database_ = nullptr;
  return committed;
}

}  // namespace sweetspot
