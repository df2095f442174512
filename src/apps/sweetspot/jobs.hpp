// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/store/history_reader.hpp"

namespace sweetspot {

/// `sweetspot jobs`: the history of finished jobs, as a table, in full, or for other programs. Reads the file; asks no
/// service.
class JobsCommand {
 public:
  explicit JobsCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] Result<HistoryFilter> filter() const;
  [[nodiscard]] int show_table(const HistoryReader& history, HistoryFilter filter) const;
  [[nodiscard]] int show_one(const HistoryReader& history) const;

  Program& program_;
  std::string state_dir_;
  std::optional<std::int64_t> number_;
  std::optional<std::uint64_t> last_;
  std::string since_;
  std::string policy_;
  std::string name_;
  std::string export_;
};

/// The service's state folder unless said otherwise: $STATE_DIRECTORY, else where its unit keeps it.
[[nodiscard]] std::string default_state_dir();

/// A moment as people write it: "2h" or "7d" ago, "2026-11-30" (its start, UTC) or an RFC 3339 date.
[[nodiscard]] Result<std::chrono::system_clock::time_point> moment_in(const std::string& text,
                                                                      std::chrono::system_clock::time_point now);

}  // namespace sweetspot
