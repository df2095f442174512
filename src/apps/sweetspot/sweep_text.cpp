// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/sweep_text.hpp"

#include <algorithm>

#include "apps/sweetspot/text_table.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t progress_width = 20;

std::string clock_name(const std::optional<Hertz>& clock) {
  return clock ? to_text(*clock) : "baseline";
}

std::vector<std::string> point_cells(const CurvePoint& point, const std::string& name, bool least) {
  const auto deviation = point.energy_j.deviation();
  const auto time = point.time();
  return {name,
          std::to_string(point.energy_j.count()),
          fixed_text(point.energy(), 1),
          deviation ? fixed_text(*deviation, 1) : "-",
          time ? fixed_text(*time, 1) : "-",
          time ? fixed_text(point.energy() / *time, 1) : "-",
          least ? "least" : ""};
}

}  // namespace

std::string progress_line(const SweepProgress& progress, std::size_t columns) {
  const std::size_t filled = progress.runs == 0 ? 0 : progress_width * progress.done / progress.runs;
  std::string line = "[" + std::string(filled, '=') + (filled < progress_width ? ">" : "") +
                     std::string(filled < progress_width ? progress_width - filled - 1 : 0, ' ') + "] " +
                     std::to_string(progress.done) + "/" + std::to_string(progress.runs);
  if (!progress.what.empty()) line += "  " + progress.what;
  if (progress.left_s) line += ", about " + duration_text(seconds(*progress.left_s)) + " left";
  if (columns > 0 && line.size() > columns) line.resize(columns);
  return line;
}

std::string plan_text(const SweepReport& report, double pauses_s, Hertz top) {
  std::string text = report.curve_id + " in " + printable(report.output) + ": " + std::to_string(report.runs) +
                     " runs, " + std::to_string(report.complete) + " complete\n";
  for (std::size_t i = 0; i < report.missing.size(); ++i) {
    const MissingRun& run = report.missing[i];
    text +=
        "  " + std::to_string(i + 1) + ". " + clock_name(run.clock) + ", repeat " + std::to_string(run.repeat) + "\n";
  }
  if (report.missing.empty()) return text + "nothing is left to run\n";
  if (report.expected_s) return text + "expected: " + duration_text(seconds(*report.expected_s)) + "\n";
  return text + "expected: not known before the first run; pauses alone take " + duration_text(seconds(pauses_s)) +
         ". --run-time says how long one run takes at " + to_text(top) + "\n";
}

std::string curve_table(const Curve& curve) {
  const CurvePoint* best = curve.least_energy();
  TextTable table({"clock", "runs", "energy J", "+-", "time s", "power W", ""}, 1);
  for (const CurvePoint& point : curve.points) table.add(point_cells(point, to_text(point.clock), &point == best));
  if (curve.default_governor) table.add(point_cells(*curve.default_governor, "baseline", false));
  return table.text();
}

Chart energy_chart(const Curve& curve) {
  Chart chart{.id = "energy",
              .title = printable(curve.id) + ": energy",
              .description = {},
              .quantity = Quantity::energy,
              .series = {{.name = printable(curve.workload), .points = {}}}};
  for (const CurvePoint& point : curve.points)
    chart.series.front().points.push_back({point.clock, point.energy(), point.energy_j.deviation()});
  if (const CurvePoint* best = curve.least_energy()) chart.marks.push_back({best->clock, "least"});
  if (curve.default_governor) chart.levels.push_back({curve.default_governor->energy(), "baseline"});
  return chart;
}

std::string missing_text(const SweepReport& report) {
  std::string text = std::to_string(report.missing.size()) + " of " + std::to_string(report.runs) + " runs are missing";
  for (const MissingRun& run : report.missing) {
    if (!run.reason) continue;
    text += "\n  " + clock_name(run.clock) + ", repeat " + std::to_string(run.repeat) + ": " + printable(*run.reason);
  }
  return text + "\nthe same command again makes these and no others";
}

}  // namespace sweetspot
