// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sweetspot {

/// What a tree is grown from: rows of numbers, each with a class, and perhaps with what every class would cost it.
struct TrainingRows {
  std::vector<std::vector<double>> columns;  ///< one per feature, each as long as `labels`; finite
  std::vector<std::uint32_t> labels;         ///< below `classes`
  std::uint32_t classes = 0;
  std::vector<double> costs;  ///< row after row, `classes` each; only for SplitCriterion::cost

  [[nodiscard]] std::size_t count() const { return labels.size(); }
};

/// What a split makes smallest: the children's impurity (Breiman et al., "Classification and Regression Trees", 1984),
/// or the costs of their rows, each child taking the class that is cheapest for it.
enum class SplitCriterion { gini, entropy, cost };

struct GrowthLimits {
  std::uint32_t depth = std::numeric_limits<std::uint32_t>::max();  ///< questions in a row
  std::size_t leaf_rows = 1;                                        ///< fewer are no leaf
};

/// A node; a leaf where `below` is 0. Inner nodes have a class too: what they would answer as leaves.
struct CartNode {
  std::uint32_t feature = 0;
  std::uint32_t below = 0;  ///< for values up to the threshold
  std::uint32_t above = 0;
  std::uint32_t answer = 0;  ///< the class
  double threshold = 0;
  double cost = 0;  ///< of the node's rows under `answer`: rows of another class, or the sum of `costs`
  /// The strength of pruning at which this node becomes a leaf, as cost per leaf saved; infinite for leaves.
  double prune_at = std::numeric_limits<double>::infinity();
};

/// A classification tree. Grown greedily and without chance: of equally good splits the one of the first feature, of
/// that the lowest threshold. Thresholds lie midway between neighbouring values. As scikit-learn's
/// DecisionTreeClassifier (which takes equally good features in random order), it splits where nothing is gained, too,
/// as long as a node is mixed.
class Cart {
 public:
  /// Grows from all rows but those with `left_out[row]` (empty: from all). At least one row must be left.
  [[nodiscard]] static Cart grow(const TrainingRows& rows, SplitCriterion criterion, GrowthLimits limits,
                                 const std::vector<bool>& left_out = {});

  /// The class of a row with these features, asking at most `depth` questions and none that pruning of this strength
  /// takes away.
  [[nodiscard]] std::uint32_t answer(std::span<const double> features,
                                     std::uint32_t depth = std::numeric_limits<std::uint32_t>::max(),
                                     double pruned = -1) const;

  /// Root first, children behind their parent.
  [[nodiscard]] const std::vector<CartNode>& nodes() const { return nodes_; }

  /// The same answers with fewer nodes: cut at `depth` and at this strength of pruning, and without questions whose
  /// answers are all one class.
  [[nodiscard]] Cart simplified(std::uint32_t depth, double pruned) const;

 private:
  explicit Cart(std::vector<CartNode> nodes) : nodes_(std::move(nodes)) {}
  std::vector<CartNode> nodes_;
};

}  // namespace sweetspot
