// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

class Database;

/// The newest schema that this version knows (SQLite's user_version); 0 is an empty file.
[[nodiscard]] std::int64_t newest_schema();

/// The file's schema. A file that is not a history, and a history of a later version, are errors.
[[nodiscard]] Result<std::int64_t> schema_of(Database& database);

/// Brings the file to the newest schema, each step whole or not at all. Expects a schema_of() without error.
[[nodiscard]] Result<void> migrate(Database& database);

}  // namespace sweetspot
