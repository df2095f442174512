// SPDX-License-Identifier: Apache-2.0
#include "analysis/pruning.hpp"

#include <algorithm>
#include <limits>

namespace sweetspot {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// What is left below a node after the pruning so far.
struct Subtree {
  double cost = 0;
  std::size_t leaves = 1;
};

bool is_cut(const CartNode& node) {
  return node.below == 0 || node.prune_at != never;
}

/// What pruning at this node would cost for each leaf it saves.
double strength_at(const CartNode& node, const Subtree& below) {
  return (node.cost - below.cost) / static_cast<double>(below.leaves - 1);
}

/// Children stand behind their parents, so that one pass from the end sees them first.
std::vector<Subtree> subtrees_of(const std::vector<CartNode>& nodes) {
  std::vector<Subtree> subtrees(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const CartNode& node = nodes[i];
    subtrees[i] = is_cut(node) ? Subtree{node.cost, 1}
                               : Subtree{subtrees[node.below].cost + subtrees[node.above].cost,
                                         subtrees[node.below].leaves + subtrees[node.above].leaves};
  }
  return subtrees;
}

}  // namespace

void weigh_pruning(std::vector<CartNode>& nodes, std::size_t rows) {
  const double scale = static_cast<double>(std::max<std::size_t>(rows, 1));
  double reached = 0;
  while (!is_cut(nodes.front())) {
    const std::vector<Subtree> subtrees = subtrees_of(nodes);
    double weakest = never;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!is_cut(nodes[i])) weakest = std::min(weakest, strength_at(nodes[i], subtrees[i]));
    }
    reached = std::max(reached, weakest / scale);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!is_cut(nodes[i]) && strength_at(nodes[i], subtrees[i]) <= weakest) nodes[i].prune_at = reached;
    }
  }
}

}  // namespace sweetspot
