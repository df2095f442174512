// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/analysis/cart.hpp"
#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/decision_tree.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// The data set of a fit: one row per curve, its label the clock of least energy, its costs the regret at every clock.
struct LabelledCurves {
  std::vector<const Curve*> curves;  ///< of each row; they outlive this
  std::vector<Feature> features;     ///< of each column
  std::vector<Hertz> classes;        ///< ascending; all rows have a measurement at each
  TrainingRows rows;
  struct LeftOut {
    std::string curve_id;
    std::string reason;
  };
  std::vector<LeftOut> left_out;
};

/// Puts the curves together. Classes are the clocks that at least half of the curves have; a curve that lacks one of
/// them is left out, since its best clock is not known, and so is one that lacks a feature. `features` empty: those
/// that at least half of the curves have. Refuses curves of several platforms or rails, and a rest of fewer than two.
[[nodiscard]] Result<LabelledCurves> labelled_curves(std::span<const Curve> curves, std::vector<Feature> features);

/// What a fit makes least: how often the label is missed, or the energy that missing it costs.
enum class FitObjective { accuracy, regret };

/// One point of the grid that was searched.
struct FitChoice {
  SplitCriterion criterion = SplitCriterion::gini;
  std::uint32_t depth = 1;
  std::size_t leaf_rows = 1;
  double pruned = -1;  ///< strength of cost-complexity pruning; -1: none
  friend bool operator==(const FitChoice&, const FitChoice&) = default;
};

/// A fitted tree with what was found out about it.
struct TreeFit {
  FitChoice choice;
  Cart tree;
  std::size_t folds;                    ///< as many as rows: leave-one-out
  std::vector<std::uint32_t> held_out;  ///< each row's answer of the tree grown without it
  std::vector<std::uint32_t> answers;   ///< each row's answer of the tree itself
};

/// Rows up to which every one is left out by itself; more are left out in 20 groups (every 20th row), so that the
/// time stays linear in the rows.
inline constexpr std::size_t most_left_out_singly = 500;
inline constexpr std::size_t folds_of_many = 20;

/// Searches depths 1 to 6, leaves of 1 to 5 rows, both impurities (for regret: the costs, and every strength of pruning
/// that changes the full tree), and grows the best on all rows. Best: the most right answers, or the least regret, of
/// rows that were left out; of equal ones the simplest. No chance is involved.
[[nodiscard]] TreeFit fit_tree(const LabelledCurves& data, FitObjective objective);

/// Regret of one row at a class, a share of its least energy.
[[nodiscard]] double regret_of(const LabelledCurves& data, std::size_t row, std::uint32_t answer);

/// The tree as the daemon takes it, with the training range of every feature of the data set.
[[nodiscard]] Result<DecisionTree> decision_tree_of(const LabelledCurves& data, const Cart& tree, std::string name);

}  // namespace sweetspot
