// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A prepared statement. Parameters and columns are numbered as in SQLite, from 1 and from 0. Lives no longer than its
/// database.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  void bind_integer(int parameter, std::int64_t value);
  void bind_real(int parameter, double value);
  /// The text is copied.
  void bind_text(int parameter, std::string_view value);
  void bind_null(int parameter);
  /// The number of a named parameter, ":name"; 0 when there is none.
  [[nodiscard]] int parameter(const char* name) const;
  /// True: there is a row.
  [[nodiscard]] Result<bool> step();
  /// Ready for the next run; the parameters stay bound.
  void reset();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

/// An open SQLite database. Errors name the file. One thread at a time.
class Database {
 public:
  /// `uri`: file: with the path escaped, or a plain path. `flags` as of sqlite3_open_v2.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::string& uri, const std::string& path,
                                                              int flags);

  /// One or more statements whose rows do not matter.
  [[nodiscard]] Result<void> run(const std::string& sql) const;
  [[nodiscard]] Result<Statement> prepare(std::string_view sql) const;
  /// The first column of the first row.
  [[nodiscard]] Result<std::int64_t> number(std::string_view sql) const;
  /// What SQLite last refused, about this file.
  [[nodiscard]] Error error() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  std::unique_ptr<sqlite3, Closer> handle_;
  std::string path_;
};

/// A transaction that is rolled back unless committed.
class Transaction {
 public:
  /// `begin`: "BEGIN IMMEDIATE" to write, "BEGIN" to read.
  [[nodiscard]] static Result<Transaction> begin(Database& database, const std::string& begin);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  [[nodiscard]] Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace sweetspot
