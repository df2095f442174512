// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/core/event.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// A job that had started and not ended when its daemon died.
struct LostJob {
  JobId id = 0;
  std::string sentence;  ///< name and owner
  friend bool operator==(const LostJob&, const LostJob&) = default;
};

/// The file `running-jobs` in the runtime folder: one line appended per start and end, so that the start after a crash
/// can say which jobs were lost. Loop thread only; the folder is on tmpfs, so a write does not wait for a disk.
class JobLedger {
 public:
  struct Opened;
  /// Reads what a dead predecessor left, then begins anew.
  [[nodiscard]] static Result<Opened> open(const std::string& runtime_dir);

  void started(const JobStarted& job);
  void ended(JobId job);

 private:
  explicit JobLedger(UniqueFd fd) : fd_(std::move(fd)) {}
  void append(const std::string& line);
  UniqueFd fd_;
  int running_ = 0;
};

struct JobLedger::Opened {
  JobLedger ledger;
  std::vector<LostJob> lost;
};

/// The jobs that started and did not end; a damaged or half-written line is skipped.
[[nodiscard]] std::vector<LostJob> unfinished_jobs(std::string_view ledger);

}  // namespace sweetspot
