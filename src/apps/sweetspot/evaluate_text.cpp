// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/evaluate_text.hpp"

#include <algorithm>

#include "apps/sweetspot/text_table.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

std::string clock_text(const std::optional<Hertz>& clock) {
  return clock ? to_text(*clock) : "-";
}

/// Behind a policy's name, what its figures must be read with.
std::string marks_of(const EvaluatedCurve& row) {
  return std::string(row.fallback ? " (ffg)" : "") + (row.too_slow ? " (too slow)" : "");
}

std::string curves_text(const Evaluation& evaluation) {
  TextTable table({"curve", "policy", "clock", "regret", "vs MAXN", "vs max", "slow-down"}, 2);
  const std::string* last = nullptr;
  for (const EvaluatedCurve& row : evaluation.curves) {
    const bool same = last && *last == row.curve_id;
    table.add({same ? "" : printable(row.curve_id), printable(row.policy) + marks_of(row), clock_text(row.frequency),
               share_text(row.regret), share_text(row.saving_vs_maxn), share_text(row.saving_vs_max),
               share_text(row.slowdown)});
    last = &row.curve_id;
  }
  return table.text();
}

void add_summary(TextTable& table, const std::string& title, const std::vector<PolicySummary>& summary) {
  bool first = true;
  for (const PolicySummary& row : summary) {
    table.add({first ? title : "", printable(row.policy), std::to_string(row.curves), share_text(row.regret_mean),
               share_text(row.regret_p95), share_text(row.regret_worst), share_text(row.saving_vs_maxn_mean),
               share_text(row.saving_vs_max_mean), share_text(row.slowdown_mean)});
    first = false;
  }
}

std::string summary_text(const Evaluation& evaluation) {
  TextTable table({"platform", "policy", "curves", "regret: mean", "p95", "worst", "vs MAXN", "vs max", "slow-down"},
                  2);
  for (const PlatformSummary& platform : evaluation.platforms)
    add_summary(table, platform.platform.empty() ? "-" : printable(platform.platform), platform.summary);
  if (evaluation.platforms.size() > 1) add_summary(table, "all", evaluation.summary);
  return table.text();
}

bool has_figures(const SecondStageOnCurve& row) {
  return row.moves && (row.regret_without || row.regret_with);
}

std::string second_stage_text(const Evaluation& evaluation) {
  const auto& rows = evaluation.second_stage;
  if (std::none_of(rows.begin(), rows.end(), has_figures)) return {};
  TextTable table({"second stage of mlg", "load", "without", "regret", "with", "regret"}, 1);
  bool assumed = false;
  for (const SecondStageOnCurve& row : rows) {
    if (!has_figures(row)) continue;
    assumed = assumed || !row.load_percent;
    const auto load = row.load_percent ? std::optional(*row.load_percent / 100) : std::nullopt;
    table.add({printable(row.curve_id), share_text(load), clock_text(row.frequency_without),
               share_text(row.regret_without), clock_text(row.frequency_with), share_text(row.regret_with)});
  }
  return "\n" + table.text() +
         (assumed ? "load -: not in the file; shown is what the second stage costs where it answers.\n" : "");
}

std::string legend(const Evaluation& evaluation) {
  const auto any = [&evaluation](auto member) {
    return std::any_of(evaluation.curves.begin(), evaluation.curves.end(),
                       [member](const EvaluatedCurve& row) { return row.*member; });
  };
  std::string text =
      "\nregret: energy above that of the best clock measured. vs MAXN, vs max: saving against the default governor "
      "and\n"
      "against the highest clock, pinned. slow-down: time above that of the fastest clock measured. -: not measured.\n";
  if (any(&EvaluatedCurve::fallback))
    text += "(ffg): the policy lacks a number of the job, or knows no such job, and fell back.\n";
  if (any(&EvaluatedCurve::too_slow))
    text += "(too slow): slower than --max-slowdown allows; the best clock is sought within it.\n";
  return text;
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation) {
  return curves_text(evaluation) + "\n" + summary_text(evaluation) + second_stage_text(evaluation) + legend(evaluation);
}

}  // namespace sweetspot
