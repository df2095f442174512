// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "apps/sweetspot/sweep_output.hpp"
#include "apps/sweetspot/sweep_runner.hpp"
#include "apps/sweetspot/sweep_text.hpp"
#include "sweetspot/analysis/sweep_file.hpp"

namespace sweetspot {

/// What a sweep is to do, and what of it is done: the plan, the rows of the file and those that came since.
class SweepState {
 public:
  SweepState(SweepCurve curve, std::vector<SweepPoint> plan, SweepPace pace, SweptBefore before);

  [[nodiscard]] const SweepCurve& curve() const { return curve_; }
  [[nodiscard]] std::vector<SweepPoint> left() const { return left_to_run(plan_, rows_); }
  /// Seconds that the runs still missing will take.
  [[nodiscard]] std::optional<double> left_seconds() const;
  /// Takes in a new row; the first valid one tells which rails count.
  void add(const SweepRow& row);
  /// Without the curve's points, which the file has.
  [[nodiscard]] SweepReport report(const std::string& output) const;

 private:
  SweepCurve curve_;
  std::vector<SweepPoint> plan_;
  SweepPace pace_;
  std::vector<SweepRow> rows_;
};

/// Shows how far a sweep is on standard error: one line that redraws itself on a terminal, else a line per run.
class SweepDisplay {
 public:
  explicit SweepDisplay(const SweepState& state);
  /// What happens now at `point`.
  void show(const SweepPoint& point, const std::string& what);
  /// A line that stays: what a run came to.
  void add(const SweepRow& row);
  /// Takes the redrawn line away.
  void clear() const;

 private:
  const SweepState& state_;
  bool on_terminal_;
  std::string last_waiting_;
};

/// Makes all runs that are left. Points whose runs do not count are tried again after the others, `retries` times.
/// Every row is in the file before the next run begins. Errors as SweepRunner::run, and of the file.
[[nodiscard]] Result<void> run_sweep(SweepState& state, SweepRunner& runner, SweepOutput& output, SweepDisplay& display,
                                     SweepPoint& now, std::size_t retries);

}  // namespace sweetspot
