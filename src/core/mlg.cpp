// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/mlg.hpp"

#include <cstdlib>

namespace sweetspot {
namespace {

TreeNode question(Feature feature, double threshold, std::uint32_t below, std::uint32_t above) {
  return TreeNode{std::nullopt, feature, threshold, below, above};
}
TreeNode leaf(double mhz) {
  return TreeNode{megahertz(mhz), Feature::layers, 0, 0, 0};
}

}  // namespace

const DecisionTree& mlg_tree() {
  static const DecisionTree tree = [] {
    auto made = DecisionTree::from(
        {.name = "mlg",
         .nodes = {question(Feature::layers, 7, 1, 2), question(Feature::mean_sequence_length, 32.5, 3, 4),
                   question(Feature::mean_sequence_length, 53.0, 5, 6), leaf(510), leaf(612), leaf(714), leaf(816)},
         .training_ranges = {}});
    if (!made) std::abort();  // a constant of ours; the tests walk it
    return *made;
  }();
  return tree;
}

}  // namespace sweetspot
