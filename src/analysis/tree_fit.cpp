// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/tree_fit.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot {
namespace {

constexpr std::uint32_t most_depth = 6;
constexpr std::size_t most_leaf_rows = 5;

/// Which rows a fold leaves out: every one whose number leaves this rest.
class Folds {
 public:
  explicit Folds(std::size_t rows) : rows_(rows), count_(rows <= most_left_out_singly ? rows : folds_of_many) {}
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::vector<bool> left_out(std::size_t fold) const {
    std::vector<bool> rows(rows_);
    for (std::size_t row = fold; row < rows_; row += count_) rows[row] = true;
    return rows;
  }

 private:
  std::size_t rows_;
  std::size_t count_;
};

/// How a point of the grid fared on rows that its trees had not seen: wrong answers, or their regret.
struct Scored {
  FitChoice choice;
  double loss = 0;
};

std::vector<double> features_in(const TrainingRows& rows, std::size_t row) {
  std::vector<double> features;
  for (const std::vector<double>& column : rows.columns) features.push_back(column[row]);
  return features;
}

double loss_of(const LabelledCurves& data, std::size_t row, std::uint32_t answer, FitObjective objective) {
  if (objective == FitObjective::regret) return regret_of(data, row, answer);
  return answer == data.rows.labels[row] ? 0 : 1;
}

/// The strengths of pruning worth trying: between every two at which the tree changes, where all are alike, their
/// geometric mean (Breiman et al., 1984, section 3.4.2); and one beyond the last.
std::vector<double> strengths_of(const Cart& tree) {
  std::vector<double> changes;
  for (const CartNode& node : tree.nodes()) {
    if (std::isfinite(node.prune_at)) changes.push_back(node.prune_at);
  }
  std::sort(changes.begin(), changes.end());
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  std::vector<double> strengths{-1};
  for (std::size_t i = 0; i < changes.size(); ++i)
    strengths.push_back(i + 1 < changes.size() ? std::sqrt(changes[i] * changes[i + 1]) : changes[i] * 2);
  return strengths;
}

/// The points that share their trees: grown once to the full depth, answered at each.
std::vector<Scored> points_for(const LabelledCurves& data, SplitCriterion criterion, std::size_t leaf_rows) {
  std::vector<double> strengths{-1};
  if (criterion == SplitCriterion::cost)
    strengths = strengths_of(Cart::grow(data.rows, criterion, {most_depth, leaf_rows}));
  std::vector<Scored> points;
  for (const double strength : strengths) {
    for (std::uint32_t depth = 1; depth <= most_depth; ++depth)
      points.push_back({{criterion, depth, leaf_rows, strength}, 0});
  }
  return points;
}

void score(const LabelledCurves& data, const Folds& folds, FitObjective objective, std::vector<Scored>& points) {
  const FitChoice& shared = points.front().choice;
  for (std::size_t fold = 0; fold < folds.count(); ++fold) {
    const std::vector<bool> left_out = folds.left_out(fold);
    const Cart tree = Cart::grow(data.rows, shared.criterion, {most_depth, shared.leaf_rows}, left_out);
    for (std::size_t row = fold; row < data.rows.count(); row += folds.count()) {
      const std::vector<double> features = features_in(data.rows, row);
      for (Scored& point : points)
        point.loss += loss_of(data, row, tree.answer(features, point.choice.depth, point.choice.pruned), objective);
    }
  }
}

/// Fewer questions, stronger pruning, larger leaves: what generalises better where the losses are equal.
bool is_better(const Scored& a, const Scored& b) {
  constexpr double rounding = 1e-12;
  if (std::abs(a.loss - b.loss) > rounding) return a.loss < b.loss;
  if (a.choice.depth != b.choice.depth) return a.choice.depth < b.choice.depth;
  if (a.choice.pruned != b.choice.pruned) return a.choice.pruned > b.choice.pruned;
  return a.choice.leaf_rows > b.choice.leaf_rows;
}

FitChoice best_choice(const LabelledCurves& data, const Folds& folds, FitObjective objective) {
  std::vector<SplitCriterion> criteria{SplitCriterion::gini, SplitCriterion::entropy};
  if (objective == FitObjective::regret) criteria = {SplitCriterion::cost};
  std::optional<Scored> best;
  for (const SplitCriterion criterion : criteria) {
    for (std::size_t leaf_rows = 1; leaf_rows <= most_leaf_rows; ++leaf_rows) {
      std::vector<Scored> points = points_for(data, criterion, leaf_rows);
      score(data, folds, objective, points);
      for (const Scored& point : points) {
        if (!best || is_better(point, *best)) best = point;
      }
    }
  }
  return best->choice;
}

std::vector<std::uint32_t> held_out_answers(const LabelledCurves& data, const Folds& folds, const FitChoice& choice) {
  std::vector<std::uint32_t> answers(data.rows.count());
  for (std::size_t fold = 0; fold < folds.count(); ++fold) {
    const Cart tree = Cart::grow(data.rows, choice.criterion, {most_depth, choice.leaf_rows}, folds.left_out(fold));
    for (std::size_t row = fold; row < answers.size(); row += folds.count())
      answers[row] = tree.answer(features_in(data.rows, row), choice.depth, choice.pruned);
  }
  return answers;
}

}  // namespace

TreeFit fit_tree(const LabelledCurves& data, FitObjective objective) {
  const Folds folds(data.rows.count());
  const FitChoice choice = best_choice(data, folds, objective);
  // Cut afterwards, as in the folds: the strengths of pruning are those of the full depth.
  const Cart full = Cart::grow(data.rows, choice.criterion, {most_depth, choice.leaf_rows});
  Cart tree = full.simplified(choice.depth, choice.pruned);
  std::vector<std::uint32_t> answers;
  for (std::size_t row = 0; row < data.rows.count(); ++row) answers.push_back(tree.answer(features_in(data.rows, row)));
  return TreeFit{choice, std::move(tree), folds.count(), held_out_answers(data, folds, choice), std::move(answers)};
}

Result<DecisionTree> decision_tree_of(const LabelledCurves& data, const Cart& tree, std::string name) {
  DecisionTree::Parts parts;
  parts.name = std::move(name);
  for (const CartNode& node : tree.nodes()) {
    TreeNode& made = parts.nodes.emplace_back();
    if (node.below == 0) {
      made.clock = data.classes[node.answer];
      continue;
    }
    made.feature = data.features[node.feature];
    made.threshold = node.threshold;
    made.below = node.below;
    made.above = node.above;
  }
  for (std::size_t i = 0; i < data.features.size(); ++i) {
    const auto [lowest, highest] = std::minmax_element(data.rows.columns[i].begin(), data.rows.columns[i].end());
    parts.training_ranges.push_back({data.features[i], *lowest, *highest});
  }
  return DecisionTree::from(std::move(parts));
}

}  // namespace sweetspot
