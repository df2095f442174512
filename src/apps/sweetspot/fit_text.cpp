// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/fit_text.hpp"

#include <algorithm>

#include "apps/sweetspot/text_table.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

void outline(const std::vector<TreeNode>& nodes, std::size_t at, const std::string& indent, std::string& text) {
  const TreeNode& node = nodes[at];
  if (node.clock) {
    text += indent + to_text(*node.clock) + "\n";
    return;
  }
  const std::string feature(name_of(node.feature));
  for (const auto& [sign, child] : {std::pair{" <= ", node.below}, std::pair{" > ", node.above}}) {
    text += indent + feature + sign + number_text(node.threshold);
    if (nodes[child].clock) {
      text += ": " + to_text(*nodes[child].clock) + "\n";
    } else {
      text += "\n";
      outline(nodes, child, indent + "  ", text);
    }
  }
}

std::string settings_text(const FitReport& report) {
  std::string text = report.criterion + ", depth " + std::to_string(report.depth) + ", leaves of " +
                     std::to_string(report.leaf_rows) + (report.leaf_rows == 1 ? " row" : " rows") + " or more";
  if (report.pruned) text += ", pruned at " + number_text(*report.pruned);
  return text;
}

std::string figures_text(const FitReport& report) {
  TextTable table({"", "right", "regret: mean", "worst"}, 1);
  const auto add = [&table](const std::string& name, const FitFigures& figures) {
    table.add({name, share_text(figures.accuracy), share_text(figures.regret_mean), share_text(figures.regret_worst)});
  };
  const bool singly = report.folds == report.rows;
  add(singly ? "rows left out one by one" : "rows left out in " + std::to_string(report.folds) + " groups",
      report.held_out);
  add("rows the tree was grown from", report.fitted);
  add("one clock for all, " + to_text(report.one_clock_is), report.one_clock);
  return table.text();
}

/// Only the classes that are somebody's label or answer.
std::string confusion_text(const FitReport& report) {
  std::vector<std::size_t> seen;
  for (std::size_t each = 0; each < report.classes.size(); ++each) {
    const auto holds = [each](const std::vector<std::size_t>& row) { return row[each] > 0; };
    const auto& own = report.confusion[each];
    if (std::any_of(report.confusion.begin(), report.confusion.end(), holds) ||
        std::any_of(own.begin(), own.end(), [](std::size_t count) { return count > 0; }))
      seen.push_back(each);
  }
  std::vector<std::string> head{"best clock, and what was answered"};
  for (const std::size_t each : seen) head.push_back(to_text(report.classes[each]));
  TextTable table(std::move(head), 1);
  for (const std::size_t label : seen) {
    std::vector<std::string> cells{to_text(report.classes[label])};
    for (const std::size_t answer : seen) cells.push_back(std::to_string(report.confusion[label][answer]));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string workloads_text(const FitReport& report) {
  TextTable table({"curve", "best", "tree", "regret", "left out", "regret"}, 1);
  for (const FittedWorkload& each : report.workloads)
    table.add({printable(each.curve_id), to_text(each.best), to_text(each.answer), share_text(each.regret),
               to_text(each.held_out), share_text(each.regret_held_out)});
  return table.text();
}

}  // namespace

std::string tree_outline(const DecisionTree& tree) {
  std::string text;
  outline(tree.parts().nodes, 0, "", text);
  return text;
}

std::string fit_text(const FitReport& report, const DecisionTree& tree) {
  std::string text = tree_outline(tree) + "\n" + std::to_string(report.rows) + " curves, objective " +
                     report.objective + ": " + settings_text(report) + "\n\n" + figures_text(report) + "\n" +
                     confusion_text(report) + "\n" + workloads_text(report);
  if (!report.left_out.empty()) text += "\n";
  for (const CurveLeftOut& curve : report.left_out)
    text += "left out: " + printable(curve.curve_id) + " " + curve.reason + "\n";
  return text;
}

}  // namespace sweetspot
