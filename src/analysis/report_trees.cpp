// SPDX-License-Identifier: Apache-2.0
#include "analysis/html_table.hpp"
#include "analysis/markup.hpp"
#include "analysis/report_parts.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

/// The same tree for those who would rather read it: a row per node.
HtmlTable nodes_table(const ReportedTree& tree) {
  HtmlTable table("The tree " + tree.name + ", node by node",
                  {"Node", "Question or clock", "Up to the threshold", "Above it"}, 4);
  const std::vector<TreeNode>& nodes = tree.file.tree.parts().nodes;
  for (std::size_t each = 0; each < nodes.size(); ++each) {
    const TreeNode& node = nodes[each];
    if (node.clock) {
      table.add({{.text = std::to_string(each)}, {.text = to_text(*node.clock)}, {.text = ""}, {.text = ""}});
      continue;
    }
    table.add({{.text = std::to_string(each)},
               {.text = std::string(name_of(node.feature)) + " ≤ " + number_text(node.threshold)},
               {.text = "node " + std::to_string(node.below)},
               {.text = "node " + std::to_string(node.above)}});
  }
  return table;
}

std::string facts_of(const TreeFile& file) {
  std::vector<HtmlFact> facts;
  if (!file.source.empty()) facts.push_back({"Made from", file.source});
  facts.push_back({"Board", file.board.empty() ? "not said" : file.board});
  facts.push_back({"Rails", file.rails.empty() ? "not said" : joined(file.rails, " + ")});
  if (!file.data_hash.empty()) facts.push_back({"Data", file.data_hash});
  for (const FeatureRange& range : file.tree.parts().training_ranges)
    facts.push_back({"Knows " + std::string(name_of(range.feature)),
                     number_text(range.lowest) + " to " + number_text(range.highest) + "; others fall back"});
  return html_facts(facts);
}

std::string second_stage_note() {
  const SecondStage stage;
  return html_paragraph(
      "quiet", "Second stage, once per job after a measured window: where the mean GPU load is at most " +
                   fixed_text(stage.load_limit_percent, 1) + " %, the clock moves to " + to_text(stage.clock) + ".");
}

}  // namespace

std::string trees_part(const Report& report) {
  std::string text;
  for (std::size_t each = 0; each < report.trees.size(); ++each) {
    const ReportedTree& tree = report.trees[each];
    const std::string drawing =
        tree_element(tree.file.tree, "tree-" + std::to_string(each + 1), "Decision tree " + tree.name);
    text += "<article>\n<h3>" + escaped(tree.name) + "</h3>\n";
    text += drawing.empty() ? html_paragraph("", "Too many leaves to draw; the table has them.")
                            : "<figure class=\"wide\">\n" + drawing +
                                  "<figcaption>The questions from left to right; upper branches are smaller values."
                                  "</figcaption>\n</figure>\n";
    if (tree.name == "mlg") text += second_stage_note();
    text += facts_of(tree.file) + html_details("The tree as a table", nodes_table(tree).html()) + "</article>\n";
  }
  return text;
}

}  // namespace sweetspot
