// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "analysis/html_table.hpp"
#include "analysis/markup.hpp"
#include "analysis/report_parts.hpp"

namespace sweetspot {
namespace {

/// Boards with tiles of their own; the tables have all.
constexpr std::size_t most_boards = 6;

using Figure = std::optional<double> EvaluatedCurve::*;
using Summed = std::optional<double> PolicySummary::*;

/// Policies that are yardsticks and no choice of a clock.
bool is_yardstick(const std::string& policy) {
  return policy == "none" || policy == "max" || policy == "oracle";
}

std::string less_or_more(double saving) {
  return share_in_words(saving < 0 ? -saving : saving) + (saving < 0 ? " more" : " less");
}

/// How many curves of a platform have this figure for this policy.
std::size_t curves_with(const Report& report, const PlatformSummary& platform, const std::string& policy,
                        Figure figure) {
  const auto& rows = report.evaluation.curves;
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const EvaluatedCurve& row) {
    return row.platform == platform.platform && row.policy == policy && row.*figure;
  }));
}

std::string tile(const Report& report, const PlatformSummary& platform, const PolicySummary& row) {
  const bool governed = row.saving_vs_maxn_mean.has_value();
  const auto saving = governed ? row.saving_vs_maxn_mean : row.saving_vs_max_mean;
  if (!saving) return {};
  const Figure figure = governed ? &EvaluatedCurve::saving_vs_maxn : &EvaluatedCurve::saving_vs_max;
  const std::size_t count = curves_with(report, platform, row.policy, figure);
  const std::string against = governed ? "the default governor (MAXN)" : "the highest clock";
  std::string text = "<div class=\"tile\">\n" + html_paragraph("big", less_or_more(*saving)) + "<p>energy with <b>" +
                     escaped(row.policy == "oracle" ? "the best clock of each workload" : row.policy) +
                     "</b> than with " + against + "</p>\n";
  std::string small = "Mean of " + count_in_words(count, "workload") + ".";
  if (row.policy == "oracle")
    small += " No choice of one clock can save more.";
  else if (row.regret_mean)
    small += " " + share_in_words(row.regret_mean) + " above the best clock, at worst " +
             share_in_words(row.regret_worst) + ".";
  if (row.fallbacks > 0) small += " Fell back to ffg's clock for " + std::to_string(row.fallbacks) + ".";
  return text + html_paragraph("quiet", small) + "</div>\n";
}

/// Workloads by policies, one figure each, with the clock below it.
struct WideTable {
  std::string caption;
  Figure figure;
  std::string without;  ///< the policy whose figure is 0 by its meaning
};

bool any_has(const Report& report, Figure figure) {
  const auto& rows = report.evaluation.curves;
  return std::any_of(rows.begin(), rows.end(), [figure](const EvaluatedCurve& row) { return row.*figure; });
}

std::string heat(const std::optional<double>& regret) {
  if (!regret) return {};
  constexpr double limits[] = {0.005, 0.02, 0.05, 0.15};
  std::size_t step = 0;
  for (const double limit : limits) step += *regret >= limit ? 1 : 0;
  return "heat" + std::to_string(step);
}

std::vector<std::string> head_of(const Report& report, const std::string& without) {
  std::vector<std::string> head{"Workload", "Board"};
  for (const std::string& policy : policies_of(report.evaluation)) {
    if (policy != without) head.push_back(shown_policy(policy));
  }
  return head;
}

HtmlCell cell_of(const EvaluatedCurve& row, const WideTable& table) {
  HtmlCell cell{.text = share_in_words(row.*table.figure)};
  if (!(row.*table.figure)) return cell;
  if (row.frequency) cell.note = clock_in_words(row.frequency);
  if (row.fallback) cell.note += " fell back";
  if (row.too_slow) cell.note += " too slow";
  if (table.figure == &EvaluatedCurve::regret) cell.classes = heat(row.*table.figure);
  return cell;
}

HtmlTable wide_table(const Report& report, const WideTable& table) {
  HtmlTable html(table.caption, head_of(report, table.without), 2);
  const auto has_figure = [&table](const EvaluatedCurve& row) { return (row.*table.figure).has_value(); };
  for (std::size_t each = 0; each < report.curves.size(); ++each) {
    const auto rows = rows_of(report, each);
    if (std::none_of(rows.begin(), rows.end(), has_figure)) continue;
    std::vector<HtmlCell> cells{{.text = name_of(report.curves[each])}, {.text = report.curves[each].platform}};
    for (const EvaluatedCurve& row : rows) {
      if (row.policy != table.without) cells.push_back(cell_of(row, table));
    }
    html.add(cells);
  }
  return html;
}

void add_summary_row(HtmlTable& table, const PlatformSummary& platform, const std::string& name, Summed figure) {
  std::vector<HtmlCell> cells{{.text = name}, {.text = platform.platform}};
  for (const PolicySummary& row : platform.summary) {
    if (row.policy != "oracle") cells.push_back({.text = share_in_words(row.*figure), .classes = heat(row.*figure)});
  }
  table.add_foot(cells);
}

bool has_figures(const SecondStageOnCurve& row) {
  return row.moves && (row.regret_without || row.regret_with);
}

std::string second_stage(const Report& report) {
  const auto& rows = report.evaluation.second_stage;
  if (std::none_of(rows.begin(), rows.end(), has_figures)) return {};
  HtmlTable table("The second stage of mlg: what moving to its clock at low GPU load costs",
                  {"Workload", "GPU load", "Clock without", "Regret without", "Clock with", "Regret with"}, 1);
  std::unordered_map<std::string, std::string> names;
  for (const Curve& curve : report.curves) names.emplace(curve.id, name_of(curve));
  for (const SecondStageOnCurve& row : rows) {
    if (!has_figures(row)) continue;
    const auto load = row.load_percent ? std::optional(*row.load_percent / 100) : std::nullopt;
    table.add({{.text = names[row.curve_id]},
               {.text = share_in_words(load)},
               {.text = clock_in_words(row.frequency_without)},
               {.text = share_in_words(row.regret_without), .classes = heat(row.regret_without)},
               {.text = clock_in_words(row.frequency_with)},
               {.text = share_in_words(row.regret_with), .classes = heat(row.regret_with)}});
  }
  return "<h3>Second stage of mlg, apart</h3>\n" + table.html() +
         html_paragraph("quiet", "A load of – is not in the file: shown is what the stage costs where it answers.");
}

std::string savings_chart(const Report& report) {
  const bool governed = any_has(report, &EvaluatedCurve::saving_vs_maxn);
  const Figure figure = governed ? &EvaluatedCurve::saving_vs_maxn : &EvaluatedCurve::saving_vs_max;
  const std::string yardstick = governed ? "none" : "max";
  BarChart chart{.id = "savings-chart",
                 .title = governed ? "Energy saved against the default governor (MAXN)"
                                   : "Energy saved against the highest clock, pinned",
                 .policies = {},
                 .groups = {}};
  for (const std::string& policy : policies_of(report.evaluation)) {
    if (policy != yardstick) chart.policies.push_back(shown_policy(policy));
  }
  for (std::size_t each = 0; each < report.curves.size() && chart.groups.size() < most_workloads_drawn; ++each) {
    BarGroup group{.name = name_of(report.curves[each]), .shares = {}};
    for (const EvaluatedCurve& row : rows_of(report, each)) {
      if (row.policy != yardstick) group.shares.push_back(row.*figure);
    }
    const auto known = [](const std::optional<double>& share) { return share.has_value(); };
    if (std::any_of(group.shares.begin(), group.shares.end(), known)) chart.groups.push_back(std::move(group));
  }
  if (chart.groups.empty()) return {};
  std::string caption = chart.title + ". Longer to the right is better; to the left, it cost more.";
  if (chart.groups.size() == most_workloads_drawn)
    caption += " The first " + std::to_string(most_workloads_drawn) + " workloads; the table has all.";
  return "<figure class=\"wide\">\n" + bars_element(chart) + "<figcaption>" + escaped(caption) +
         "</figcaption>\n</figure>\n";
}

}  // namespace

std::string summary_part(const Report& report) {
  std::string text;
  const auto& platforms = report.evaluation.platforms;
  for (const PlatformSummary& platform : std::span(platforms).first(std::min(platforms.size(), most_boards))) {
    std::string tiles;
    for (const PolicySummary& row : platform.summary) {
      if (!is_yardstick(row.policy)) tiles += tile(report, platform, row);
    }
    for (const PolicySummary& row : platform.summary) {
      if (row.policy == "oracle") tiles += tile(report, platform, row);
    }
    if (tiles.empty()) continue;
    text += "<h3>" + escaped(platform.platform.empty() ? "Board not said" : platform.platform) +
            kind_labels(report, platform.platform) + "</h3>\n<div class=\"tiles\">\n" + tiles + "</div>\n";
  }
  return text;
}

std::string savings_part(const Report& report) {
  std::string text;
  if (any_has(report, &EvaluatedCurve::saving_vs_maxn))
    text += wide_table(report, {"Energy saved against the default governor (MAXN), and the clock",
                                &EvaluatedCurve::saving_vs_maxn, "none"})
                .html();
  if (any_has(report, &EvaluatedCurve::saving_vs_max))
    text += wide_table(report, {"Energy saved against the highest clock, pinned, and the clock",
                                &EvaluatedCurve::saving_vs_max, "max"})
                .html();
  if (any_has(report, &EvaluatedCurve::slowdown))
    text += wide_table(report, {"Time above that of the fastest clock, and the clock", &EvaluatedCurve::slowdown, ""})
                .html();
  return text.empty() ? text : savings_chart(report) + text;
}

std::string regret_part(const Report& report) {
  if (!any_has(report, &EvaluatedCurve::regret)) return {};
  HtmlTable table = wide_table(
      report, {"Regret: energy above that of the best clock that was run", &EvaluatedCurve::regret, "oracle"});
  for (const PlatformSummary& platform : report.evaluation.platforms) {
    add_summary_row(table, platform, "mean", &PolicySummary::regret_mean);
    add_summary_row(table, platform, "p95", &PolicySummary::regret_p95);
    add_summary_row(table, platform, "worst", &PolicySummary::regret_worst);
  }
  return table.html() +
         html_paragraph("quiet",
                        "– : no measurement at that clock; nothing is interpolated. Fell back: the policy lacks a "
                        "number of the job and used ffg's clock. p95: the least value that 95 % of "
                        "the workloads do not exceed.") +
         second_stage(report);
}

}  // namespace sweetspot
