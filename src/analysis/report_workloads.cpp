// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "analysis/axis.hpp"
#include "analysis/curve_fit.hpp"
#include "analysis/html_table.hpp"
#include "analysis/markup.hpp"
#include "analysis/report_parts.hpp"
#include "sweetspot/analysis/chart.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

/// Points of a fitted line.
constexpr int steps_of_fit = 60;
/// Rows of a table that stands open.
constexpr std::size_t most_rows_open = 24;

using Value = std::optional<double> CharacterisedPoint::*;

/// A measured quantity of a point. Energy is never missing, and so is kept as a plain number.
struct Measured {
  Quantity quantity;
  Value value;  ///< null: energy_j
  Value deviation;
};
constexpr Measured energy{Quantity::energy, nullptr, &CharacterisedPoint::energy_deviation_j};
constexpr Measured duration{Quantity::time, &CharacterisedPoint::time_s, &CharacterisedPoint::time_deviation_s};
constexpr Measured power{Quantity::power, &CharacterisedPoint::power_w, &CharacterisedPoint::power_deviation_w};

std::optional<double> value_of(const CharacterisedPoint& point, const Measured& what) {
  const auto value = what.value ? point.*what.value : std::optional(point.energy_j);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

ChartSeries fitted_line(const Chart& chart, const CharacterisedCurve& curve) {
  ChartSeries line{.name = {}, .points = {}};
  const auto& points = chart.series[0].points;
  const double low = in_megahertz(points.front().clock);
  const double high = in_megahertz(points.back().clock);
  for (int step = 0; step <= steps_of_fit; ++step) {
    const double mhz = low + (high - low) * step / steps_of_fit;
    const double ghz = mhz / 1000;
    const double value =
        chart.quantity == Quantity::energy
            ? energy_at(*curve.energy_fit, ghz)
            : std::cbrt(std::pow(curve.time_fit->floor_s, 3) + std::pow(curve.time_fit->work_s_ghz / ghz, 3));
    line.points.push_back({megahertz(mhz), value, {}});
  }
  return line;
}

/// Who chose which clock; what was never pinned has none.
std::vector<ChartMark> marks_of(std::span<const EvaluatedCurve> rows) {
  std::vector<ChartMark> marks;
  for (const EvaluatedCurve& row : rows) {
    if (row.frequency && row.policy != "max" && row.policy != "none")
      marks.push_back({*row.frequency, row.policy == "oracle" ? "best" : row.policy});
  }
  return marks;
}

Chart chart_of(const CharacterisedCurve& curve, const Measured& what, std::span<const EvaluatedCurve> rows) {
  Chart chart{
      .id = {}, .title = {}, .description = {}, .quantity = what.quantity, .series = {{.name = "runs", .points = {}}}};
  for (const CharacterisedPoint& point : curve.points) {
    const auto value = value_of(point, what);
    if (!value) continue;
    if (point.frequency)
      chart.series[0].points.push_back({*point.frequency, *value, point.*what.deviation});
    else
      chart.levels.push_back({*value, "MAXN (default governor)"});
  }
  if (chart.series[0].points.empty()) return chart;
  chart.marks = marks_of(rows);
  if (what.quantity == Quantity::energy && curve.energy_fit) chart.fits = {fitted_line(chart, curve)};
  if (what.quantity == Quantity::time && curve.time_fit) chart.fits = {fitted_line(chart, curve)};
  if (!chart.fits.empty())
    chart.fits[0].name = what.quantity == Quantity::energy ? "fit a/f + b + c·f²" : "fit ∛(floor³ + (work/f)³)";
  return chart;
}

std::string figure_of(Chart chart, const std::string& id, const Curve& curve) {
  const std::string quantity(name_of(chart.quantity));
  chart.id = id;
  chart.title = name_of(curve) + ": " + quantity + " against the GPU clock";
  bool spread = false;
  for (const ChartPoint& point : chart.series[0].points) spread = spread || point.spread;
  std::string caption = quantity + ". ";
  if (chart.quantity == Quantity::power) caption = "Mean power. ";
  caption += spread ? "Bars: standard deviation over the repeats." : "Single runs: no error bars.";
  if (chart.series[0].points.size() > most_points_drawn) caption += " Thinned; the table has every clock.";
  return "<figure>\n" + chart_element(chart) + "<figcaption>" + escaped(caption) + "</figcaption>\n</figure>\n";
}

/// One quantity's columns of a table of points.
class QuantityColumns {
 public:
  QuantityColumns(const CharacterisedCurve& curve, const Measured& what) : what_(what) {
    double largest = 0;
    for (const CharacterisedPoint& point : curve.points) {
      const auto value = value_of(point, what);
      if (value) largest = std::max(largest, *value);
      there_ = there_ || value;
      repeated_ = repeated_ || point.*what.deviation;
    }
    unit_ = readable_unit(what.quantity, largest);
  }

  void add_head(std::vector<std::string>& head) const {
    if (there_) head.push_back(std::string(name_of(what_.quantity)) + ", " + std::string(unit_.name));
    if (there_ && repeated_) head.emplace_back("±");
  }
  void add(const CharacterisedPoint& point, std::vector<HtmlCell>& cells) const {
    const auto value = value_of(point, what_);
    if (there_) cells.push_back({.text = value ? digits(*value / unit_.size) : "–"});
    const auto& deviation = point.*what_.deviation;
    if (there_ && repeated_) cells.push_back({.text = value && deviation ? share_in_words(*deviation / *value) : "–"});
  }

 private:
  /// Four digits that count.
  static std::string digits(double value) {
    int decimals = 0;
    for (double size = std::abs(value); size > 0 && size < 1000 && decimals < 6; size *= 10) ++decimals;
    return fixed_text(value, decimals);
  }

  Measured what_;
  ReadableUnit unit_;
  bool there_ = false;
  bool repeated_ = false;
};

std::optional<double> least_of(const CharacterisedCurve& curve) {
  std::optional<double> least;
  for (const CharacterisedPoint& point : curve.points) {
    if (point.frequency && (!least || point.energy_j < *least)) least = point.energy_j;
  }
  return least;
}

std::string clock_of(const CharacterisedPoint& point) {
  return point.frequency ? to_text(*point.frequency) : "MAXN";
}

std::string points_table(const CharacterisedCurve& curve, const std::string& name) {
  const QuantityColumns columns[] = {{curve, energy}, {curve, duration}, {curve, power}};
  std::vector<std::string> head{"Clock", "Runs", "Above least"};
  for (const QuantityColumns& each : columns) each.add_head(head);
  HtmlTable table(name + ": means; ± is the standard deviation over the repeats", head, 0);
  const auto least = least_of(curve);
  for (const CharacterisedPoint& point : curve.points) {
    const auto above = least ? std::optional(point.energy_j / *least - 1) : std::nullopt;
    std::vector<HtmlCell> cells{
        {.text = clock_of(point)}, {.text = std::to_string(point.runs)}, {.text = share_in_words(above)}};
    for (const QuantityColumns& each : columns) each.add(point, cells);
    table.add(cells);
  }
  const bool open = curve.points.size() <= most_rows_open;
  return open ? table.html()
              : html_details("All " + std::to_string(curve.points.size()) + " clocks as a table", table.html());
}

std::string features_of(const Curve& curve) {
  std::vector<std::string> all;
  const auto add = [&all](const std::string& text) { all.push_back(text); };
  add(curve.platform.empty() ? "board not said" : curve.platform);
  if (!curve.power_mode.empty()) add("power mode " + curve.power_mode);
  if (!curve.model_type.empty()) add(curve.model_type);
  if (curve.layers) add(count_in_words(static_cast<std::size_t>(*curve.layers), "layer"));
  if (curve.hidden_size) add("hidden size " + std::to_string(*curve.hidden_size));
  if (curve.mean_sequence_length) add("mean length " + number_text(*curve.mean_sequence_length));
  if (curve.batch_size) add("batch " + std::to_string(*curve.batch_size));
  add(curve.total_steps ? count_in_words(static_cast<std::size_t>(*curve.total_steps), "step") : "steps not said");
  add(curve.energy_scope.empty() ? "rails not said" : "rails " + curve.energy_scope);
  return joined(all, " · ");
}

std::string origin_of(const Curve& curve) {
  const std::string kind = kind_of_source(curve.source);
  const std::string source = curve.source.empty() ? "not said in the file" : curve.source;
  return "<p class=\"quiet\"><span class=\"label\">" + (kind.empty() ? "origin not said" : kind) +
         "</span> Source: " + escaped(source) + "</p>\n";
}

std::string shape_in_words(const std::string& shape) {
  if (shape == "u") return "The curve is U-shaped.";
  if (shape == "falls") return "Energy falls to the highest clock: there is no valley.";
  if (shape == "rises") return "Energy rises from the lowest clock: there is no valley.";
  if (shape == "flat") return "The curve is flat within the residuals: no clock is better than another.";
  return "Too few clocks to say what shape the curve has.";
}

std::string whole_mhz(Hertz clock) {
  return fixed_text(in_megahertz(clock), 0);
}

std::string findings_of(const CharacterisedCurve& curve) {
  std::string text = shape_in_words(curve.shape);
  if (curve.best) text += " Least energy at " + to_text(*curve.best) + ".";
  if (curve.optimum && curve.optimum_low && curve.optimum_high)
    text += " The fit's optimum is " + whole_mhz(*curve.optimum) + " MHz, with 90\u00a0% between " +
            whole_mhz(*curve.optimum_low) + " and " + whole_mhz(*curve.optimum_high) + " MHz.";
  if (curve.energy_fit)
    text += " The fit misses the points by " + share_in_words(curve.energy_fit->residuals.rms) + " (rms).";
  if (curve.slowdown_at_best)
    text += " At the best clock a job takes " + share_in_words(curve.slowdown_at_best) + " longer than at the fastest.";
  std::string wastes;
  for (const WasteOfMode& each : curve.wastes) {
    if (!each.waste) continue;
    wastes += (wastes.empty() ? " Above the best clock: " : ", ") + each.mode +
              (each.frequency ? " (" + to_text(*each.frequency) + ")" : "") + " " + share_in_words(each.waste);
  }
  return text + wastes + (wastes.empty() ? "" : ".");
}

std::string figures_of(const Report& report, std::size_t each) {
  std::vector<std::string> figures;
  for (const Measured& what : {energy, duration, power}) {
    const Chart chart = chart_of(report.characterised[each], what, rows_of(report, each));
    if (chart.series[0].points.empty()) continue;
    std::string quantity(name_of(what.quantity));
    quantity[0] = static_cast<char>(quantity[0] - 'A' + 'a');
    figures.push_back(figure_of(chart, "curve-" + std::to_string(each + 1) + "-" + quantity, report.curves[each]));
  }
  // One drawing has its table beside it, several have it below.
  return "<div class=\"figures" + std::string(figures.size() > 1 ? "" : " alone") + "\">\n" + joined(figures, "") +
         points_table(report.characterised[each], name_of(report.curves[each])) + "</div>\n";
}

std::string workload(const Report& report, std::size_t each) {
  const Curve& curve = report.curves[each];
  return "<article>\n<h3>" + escaped(name_of(curve)) + "</h3>\n" + html_paragraph("quiet", features_of(curve)) +
         origin_of(curve) + html_paragraph("", findings_of(report.characterised[each])) + figures_of(report, each) +
         "</article>\n";
}

/// The points of the workloads that are not drawn.
std::string rest_of(const Report& report) {
  HtmlTable table("Every point of the other workloads: means; ± is the standard deviation over the repeats",
                  {"Workload", "Clock", "Runs", "Above least", "Energy, J", "±", "Time, s", "±", "Power, W", "±"}, 2);
  for (std::size_t each = most_workloads_drawn; each < report.curves.size(); ++each) {
    const CharacterisedCurve& curve = report.characterised[each];
    const std::string name = name_of(report.curves[each]);
    const auto least = least_of(curve);
    for (const CharacterisedPoint& point : curve.points) {
      const auto above = least ? std::optional(point.energy_j / *least - 1) : std::nullopt;
      std::vector<HtmlCell> cells{{.text = name},
                                  {.text = clock_of(point)},
                                  {.text = std::to_string(point.runs)},
                                  {.text = share_in_words(above)}};
      for (const Measured& what : {energy, duration, power}) {
        const auto value = value_of(point, what);
        const auto& deviation = point.*what.deviation;
        cells.push_back({.text = value ? number_text(*value) : "–"});
        cells.push_back({.text = value && deviation ? share_in_words(*deviation / *value) : "–"});
      }
      table.add(cells);
    }
  }
  return table.html();
}

}  // namespace

std::string workloads_part(const Report& report) {
  std::string text;
  const std::size_t drawn = std::min(report.curves.size(), most_workloads_drawn);
  for (std::size_t each = 0; each < drawn; ++each) text += workload(report, each);
  if (report.curves.size() > drawn)
    text += html_paragraph("", "The first " + std::to_string(drawn) + " of " +
                                   count_in_words(report.curves.size(), "workload") +
                                   " are drawn; the points of the others are in the table below.") +
            html_details("All points of the other workloads", rest_of(report));
  return text;
}

}  // namespace sweetspot
