// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/store/history_reader.hpp"

namespace sweetspot {

/// What a step cost in jobs that ran without a pin, policy `none`: what savings are held against. Only jobs that tell
/// (tells_of_its_clock) and reported steps count; a baseline is the mean of those with the same name, numbers, rails,
/// board and power mode.
class Baselines {
 public:
  [[nodiscard]] static Result<Baselines> in(const HistoryReader& history);
  void add(const PastJob& job);
  /// A share of 1; empty without a baseline, and for jobs that do not tell.
  [[nodiscard]] std::optional<double> saving_of(const PastJob& job) const;

 private:
  struct Mean {
    double sum = 0;
    std::uint64_t count = 0;
  };
  std::map<std::string, Mean> joules_per_step_;
};

/// Past jobs, a line each.
class JobsTable {
 public:
  explicit JobsTable(const Baselines& baselines) : baselines_(baselines) {}
  void add(const PastJob& job);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::string text() const;

 private:
  const Baselines& baselines_;
  std::vector<std::vector<std::string>> rows_;
  bool any_saving_ = false;
  bool any_fallback_ = false;
  bool any_untrusted_ = false;
};

/// All that is kept of one job.
[[nodiscard]] std::string job_text(const PastJob& job);

}  // namespace sweetspot
