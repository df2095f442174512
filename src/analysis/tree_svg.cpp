// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/svg_text.hpp"
#include "sweetspot/analysis/report.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

// In units of the drawing. The levels lie side by side, the leaves below each other.
constexpr double box_width = 124;
constexpr double box_height = 36;
constexpr double level_width = 188;
constexpr double least_width = 500;  // so that small trees are not drawn large
constexpr double leaf_height = 46;
constexpr double tree_edge = 4;

std::string feature_in_words(Feature feature) {
  switch (feature) {
    case Feature::layers:
      return "layers";
    case Feature::hidden_size:
      return "hidden size";
    case Feature::mean_sequence_length:
      return "sequence length";
    case Feature::batch_size:
      return "batch size";
  }
  return {};
}

struct Placed {
  double x = 0;
  double y = 0;  ///< of the box's middle
};

/// Gives every node its place: leaves one below the other, questions midway between what they lead to.
class Layout {
 public:
  explicit Layout(const std::vector<TreeNode>& nodes) : nodes_(nodes), places_(nodes.size()) {
    depth_.assign(nodes.size(), 0);
    // Children come after their parent, so one pass forward gives depths and one backward what lies below.
    for (std::size_t each = 0; each < nodes.size(); ++each) {
      if (nodes[each].clock) continue;
      depth_[nodes[each].below] = depth_[nodes[each].above] = depth_[each] + 1;
    }
    place_leaves();
    for (std::size_t each = nodes.size(); each-- > 0;) {
      places_[each].x = tree_edge + level_width * static_cast<double>(depth_[each]);
      if (!nodes[each].clock) places_[each].y = (places_[nodes[each].below].y + places_[nodes[each].above].y) / 2;
    }
  }

  [[nodiscard]] Placed place(std::size_t node) const { return places_[node]; }
  [[nodiscard]] SvgPlace size() const {
    const auto deepest = *std::max_element(depth_.begin(), depth_.end());
    return {std::max(least_width, 2 * tree_edge + level_width * static_cast<double>(deepest) + box_width),
            2 * tree_edge + leaf_height * static_cast<double>(leaves_)};
  }

 private:
  /// From top to bottom as the questions lead to them, the lower answer first.
  void place_leaves() {
    std::vector<std::size_t> open{0};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (nodes_[node].clock) {
        places_[node].y = tree_edge + leaf_height * (static_cast<double>(leaves_++) + 0.5);
        continue;
      }
      open.push_back(nodes_[node].above);
      open.push_back(nodes_[node].below);
    }
  }

  const std::vector<TreeNode>& nodes_;
  std::vector<Placed> places_;
  std::vector<std::size_t> depth_;
  std::size_t leaves_ = 0;
};

struct BranchLabel {
  std::string text;
  double below = 0;  ///< of its baseline to the branch's end
};

std::string branch(Placed from, Placed to, const BranchLabel& label) {
  const double start = from.x + box_width;
  const double bend = (to.x - start) / 2;
  const std::string text = "<path class=\"branch\" d=\"M" + svg_number(start) + " " + svg_number(from.y) + "C" +
                           svg_number(start + bend) + " " + svg_number(from.y) + " " + svg_number(to.x - bend) + " " +
                           svg_number(to.y) + " " + svg_number(to.x) + " " + svg_number(to.y) + "\"/>\n";
  return text + svg_label("label tick end", {to.x - 5, to.y + label.below}, label.text);
}

std::string box(const std::string& classes, Placed place) {
  return "<rect class=\"" + classes + "\" x=\"" + svg_number(place.x) + "\" y=\"" +
         svg_number(place.y - box_height / 2) + "\" width=\"" + svg_number(box_width) + "\" height=\"" +
         svg_number(box_height) + "\" rx=\"7\"/>\n";
}

std::string question(const TreeNode& node, std::size_t at, const Layout& layout) {
  const Placed place = layout.place(at);
  const std::string threshold = number_text(node.threshold);
  return branch(place, layout.place(node.below), {"≤ " + threshold, -5}) +
         branch(place, layout.place(node.above), {"> " + threshold, 15}) + box("question", place) +
         svg_label("middle", {place.x + box_width / 2, place.y + 4}, feature_in_words(node.feature) + "?");
}

std::string in_words(const std::vector<TreeNode>& nodes, std::size_t at, const std::string& path) {
  if (nodes[at].clock) return (path.empty() ? "Always" : path) + ": " + to_text(*nodes[at].clock) + ". ";
  const std::string asked = (path.empty() ? "" : path + ", ") + feature_in_words(nodes[at].feature);
  const std::string threshold = number_text(nodes[at].threshold);
  return in_words(nodes, nodes[at].below, asked + " up to " + threshold) +
         in_words(nodes, nodes[at].above, asked + " above " + threshold);
}

}  // namespace

std::string tree_element(const DecisionTree& tree, const std::string& id, const std::string& title) {
  const std::vector<TreeNode>& nodes = tree.parts().nodes;
  const auto is_leaf = [](const TreeNode& node) { return node.clock.has_value(); };
  if (static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), is_leaf)) > most_leaves_drawn) return {};
  const Layout layout(nodes);
  std::string questions;
  std::string leaves;
  for (std::size_t each = 0; each < nodes.size(); ++each) {
    if (!nodes[each].clock) {
      questions += question(nodes[each], each, layout);
      continue;
    }
    const Placed place = layout.place(each);
    leaves += box("leaf", place) +
              svg_label("leaf-text middle", {place.x + box_width / 2, place.y + 4}, to_text(*nodes[each].clock));
  }
  return svg_start("chart tree", id, layout.size()) + svg_names(id, title, in_words(nodes, 0, "")) + questions +
         leaves + "</svg>\n";
}

}  // namespace sweetspot
