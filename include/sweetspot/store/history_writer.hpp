// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/store/past_job.hpp"

namespace sweetspot {

class Database;

/// How much the history keeps. Empty: no bound.
struct HistoryBounds {
  std::optional<Duration> age;         ///< since the job ended, by the machine's date
  std::optional<std::uint64_t> bytes;  ///< of the rows, in SQLite's pages; the log beside them comes on top while open
  friend bool operator==(const HistoryBounds&, const HistoryBounds&) = default;
};

/// Writes finished jobs to the history. What add() has answered is on the disk, whatever dies after; a process that is
/// killed in the middle leaves the jobs of before. Blocks as long as the disk does: not for an event loop. One thread
/// at a time; several processes may write and read at once.
class HistoryWriter {
 public:
  /// Opens the history in `state_folder`, makes it (0640) where there is none and brings an older schema up to date. A
  /// history of a later version, and a file that is something else, are refused and left as they are.
  [[nodiscard]] static Result<HistoryWriter> open(const std::string& state_folder, HistoryBounds bounds);
  HistoryWriter(HistoryWriter&&) noexcept;
  HistoryWriter& operator=(HistoryWriter&&) noexcept;
  ~HistoryWriter();

  /// All of them or none, in this order. Then the oldest go that are beyond the bounds, `now` being the date.
  [[nodiscard]] Result<void> add(std::span<const PastJob> jobs, std::chrono::system_clock::time_point now);

 private:
  HistoryWriter(std::unique_ptr<Database> database, HistoryBounds bounds);
  [[nodiscard]] Result<void> insert(const PastJob& job);
  [[nodiscard]] Result<void> drop_old(std::chrono::system_clock::time_point now);
  [[nodiscard]] Result<void> drop_beyond_size();
  [[nodiscard]] Result<void> give_back_free_pages();

  std::unique_ptr<Database> database_;
  HistoryBounds bounds_;
};

}  // namespace sweetspot
