// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/analysis/evaluation.hpp"
#include "sweetspot/analysis/report.hpp"
#include "sweetspot/store/history_reader.hpp"

namespace sweetspot {

/// `sweetspot report`: one HTML page of curves, policies, trees, jobs and board. Needs no daemon; asks one that is
/// there.
class ReportCommand {
 public:
  explicit ReportCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] Result<void> read_curve_files(Report& report) const;
  /// The policies to compare, as they were asked for.
  [[nodiscard]] Result<std::vector<Contender>> policies() const;
  /// The trees to draw, and what they choose as policies of their own.
  [[nodiscard]] Result<void> read_trees(Report& report, std::vector<Contender>& contenders) const;
  [[nodiscard]] Result<HistoryFilter> history_filter() const;
  void read_history(const HistoryFilter& filter, Report& report) const;
  void ask_service(Report& report) const;
  [[nodiscard]] int show(const Report& report) const;

  Program& program_;
  std::vector<std::string> data_;
  std::vector<std::string> policies_{"none", "ffg", "mlg", "oracle", "max"};
  std::vector<std::string> trees_;
  std::string output_;
  std::string since_;
  std::string state_dir_;
};

}  // namespace sweetspot
