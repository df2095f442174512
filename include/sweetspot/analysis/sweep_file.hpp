// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/analysis/sweep_plan.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// What all rows of a swept curve have in common: the job, the board and how it was measured.
struct SweepCurve {
  std::string id;
  std::string platform;  ///< "agx-orin-64"; another board's own name where it is not known
  JobSpec job;           ///< features; its policy and clock are the sweep's business
  std::string power_mode;
  std::string energy_scope;        ///< the rails that count, "A+B"; empty until a run has told
  std::string source;              ///< where the figures come from, in words
  std::string command;             ///< a hash: command lines may hold secrets
  std::vector<std::string> rails;  ///< the board's measured rails, a column each
};

/// One run as the file has it. Empty: not measured.
struct SweepRow {
  SweepPoint point;
  bool valid = false;
  std::string reason;  ///< why it is not valid
  std::optional<Hertz> held;
  std::optional<double> share_at_clock;
  std::optional<double> time_s;
  std::optional<std::int64_t> steps;
  std::optional<double> energy_j;
  std::string energy_scope;  ///< the rails in these joules
  std::optional<double> mean_power_w;
  std::vector<std::optional<double>> rail_j;  ///< as SweepCurve::rails; left empty when a file is read
  std::optional<double> load_percent;
  std::optional<double> celsius_before;
  std::optional<double> celsius_after;
  std::optional<double> coverage;
  std::optional<int> exit_status;
  std::string started;  ///< RFC 3339
};

/// The names of the columns, and a run's row: lines with their line ends. The columns are those of measured curves
/// (docs/evaluate.md), so that `characterise`, `fit` and `evaluate` read the file as it is, and the sweep's own.
[[nodiscard]] std::string sweep_head(const SweepCurve& curve);
[[nodiscard]] std::string sweep_line(const SweepCurve& curve, const SweepRow& row);

/// What a file holds already.
struct SweptBefore {
  std::vector<SweepRow> rows;         ///< of the curve asked for, in the file's order
  std::string energy_scope;           ///< of its valid rows; empty: none yet
  std::vector<std::string> others;    ///< ids of the other curves
  std::vector<std::string> mismatch;  ///< in what rows of this id are of another board, job or command, in words
};
/// Reads a sweep's file. Takes any bytes. Errors: another file's columns (or another board's rails), or a row that
/// makes no sense; they name line and column.
[[nodiscard]] Result<SweptBefore> read_swept(std::string_view text, const SweepCurve& curve);

/// How much of a file's text is whole lines: a crash may tear the last one.
[[nodiscard]] std::size_t whole_lines(std::string_view text);

/// The runs of a plan that have no valid row yet, in the plan's order.
[[nodiscard]] std::vector<SweepPoint> left_to_run(const std::vector<SweepPoint>& plan,
                                                  const std::vector<SweepRow>& rows);

/// What ended a run's command.
struct RunEnd {
  EnergyRecord record;
  int exit_status = 0;        ///< as a shell gives it
  std::int64_t own_jobs = 0;  ///< jobs of the sweep itself that ran beside the measured one
};
/// The row of a run that came to its end, valid or with the reason why it does not count: the command failed, did fewer
/// steps than it was to do, the energy was not measured well enough or on other rails, another job ran beside it, the
/// power mode changed, or the clock was not held for 95 % of the time.
[[nodiscard]] SweepRow row_of(const SweepCurve& curve, const SweepPoint& point, const RunEnd& end);

/// The rails of a record's joules, "VDD_GPU_SOC+VDD_CPU_CV".
[[nodiscard]] std::string energy_scope_of(const EnergyRecord& record);

}  // namespace sweetspot
