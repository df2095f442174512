// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"

namespace sweetspot {

/// A finished job as the history keeps it: what it cost, and what it had said of itself.
struct PastJob {
  std::int64_t number = 0;  ///< the history's own, rising as jobs end and never given twice; job ids begin anew with
                            ///< each daemon. Empty (0) before the history has given one.
  EnergyRecord record;
  JobSpec spec;  ///< its name is the record's; an empty list of rails is kept as none
  friend bool operator==(const PastJob&, const PastJob&) = default;
};

/// The history's file in the daemon's state folder: SQLite, with `-wal` and `-shm` beside it.
[[nodiscard]] std::string history_path(const std::string& state_folder);

}  // namespace sweetspot
