// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/store/past_job.hpp"

namespace sweetspot {

class Database;

/// Which jobs to visit. What is empty does not choose.
struct HistoryFilter {
  std::optional<std::int64_t> number;                           ///< this one
  std::optional<std::chrono::system_clock::time_point> since;   ///< that ended then or later
  std::optional<std::chrono::system_clock::time_point> before;  ///< that ended earlier
  std::optional<std::string> policy;                            ///< whose decision this policy made
  std::optional<std::string> name;                              ///< that were called exactly so
  std::optional<std::uint64_t> last;                            ///< of those chosen, the newest so many
};

/// Reads the history, with or without a daemon, without ever changing it: a reader needs no right to write in the
/// folder. One thread at a time.
class HistoryReader {
 public:
  /// Error code ENOENT: there is no history yet; EACCES: this user may not read it. A history of a later version is
  /// refused.
  [[nodiscard]] static Result<HistoryReader> open(const std::string& state_folder);
  HistoryReader(HistoryReader&&) noexcept;
  HistoryReader& operator=(HistoryReader&&) noexcept;
  ~HistoryReader();

  /// Shown one job after the other; false: no more.
  using Visit = std::function<bool(const PastJob&)>;
  /// Visits the chosen jobs in the order in which they ended, all of one moment: what is added meanwhile is not seen.
  /// Keeps one job in memory at a time.
  [[nodiscard]] Result<void> records(const HistoryFilter& filter, const Visit& visit) const;

 private:
  explicit HistoryReader(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace sweetspot
