// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/cart.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "analysis/pruning.hpp"
#include "analysis/split_tally.hpp"

namespace sweetspot {
namespace {

/// The rows sorted by each feature once; a node is the same stretch of every one of them.
using Orders = std::vector<std::vector<SweptRow>>;

Orders orders_of(const TrainingRows& rows, const std::vector<bool>& left_out) {
  Orders orders(std::max<std::size_t>(rows.columns.size(), 1));
  for (std::size_t feature = 0; feature < orders.size(); ++feature) {
    std::vector<SweptRow>& order = orders[feature];
    order.reserve(rows.count());
    for (std::uint32_t row = 0; row < rows.count(); ++row) {
      const double value = rows.columns.empty() ? 0 : rows.columns[feature][row];
      if (left_out.empty() || !left_out[row]) order.push_back({value, row, rows.labels[row]});
    }
    std::sort(order.begin(), order.end(), [](const SweptRow& a, const SweptRow& b) { return a.value < b.value; });
  }
  return orders;
}

struct Split {
  std::uint32_t feature;
  double threshold;
  double score;
};

/// A node that is still to be looked at.
struct Stretch {
  std::uint32_t node;
  std::size_t begin;
  std::size_t end;
  std::uint32_t depth;
};

template <class Tally>
class Grower {
 public:
  Grower(const TrainingRows& rows, GrowthLimits limits, const std::vector<bool>& left_out)
      : orders_(orders_of(rows, left_out)), limits_(limits), tally_(rows), goes_below_(rows.count()) {
    limits_.leaf_rows = std::max<std::size_t>(limits_.leaf_rows, 1);
    moved_.reserve(orders_.front().size());
  }

  std::vector<CartNode> grow() {
    nodes_.emplace_back();
    std::vector<Stretch> open{{0, 0, orders_.front().size(), 0}};
    while (!open.empty()) {
      const Stretch stretch = open.back();
      open.pop_back();
      const std::optional<Split> split = settle(stretch);
      if (!split) continue;
      const std::size_t middle = divide(stretch, *split);
      const auto below = static_cast<std::uint32_t>(nodes_.size());
      nodes_.resize(nodes_.size() + 2);
      CartNode& node = nodes_[stretch.node];
      node.feature = split->feature;
      node.threshold = split->threshold;
      node.below = below;
      node.above = below + 1;
      open.push_back({node.above, middle, stretch.end, stretch.depth + 1});
      open.push_back({node.below, stretch.begin, middle, stretch.depth + 1});
    }
    return std::move(nodes_);
  }

 private:
  std::span<const SweptRow> rows_of(const Stretch& stretch, std::size_t feature) const {
    return std::span(orders_[feature]).subspan(stretch.begin, stretch.end - stretch.begin);
  }

  /// Gives the node its answer; the split to go on with, if any.
  std::optional<Split> settle(const Stretch& stretch) {
    tally_.begin_node(rows_of(stretch, 0));
    nodes_[stretch.node].answer = tally_.best_class();
    nodes_[stretch.node].cost = tally_.cost();
    const std::size_t count = stretch.end - stretch.begin;
    if (stretch.depth >= limits_.depth || count < 2 * limits_.leaf_rows || tally_.is_settled()) return std::nullopt;
    std::optional<Split> best;
    for (std::uint32_t feature = 0; feature < orders_.size(); ++feature)
      sweep(rows_of(stretch, feature), feature, best);
    return best;
  }

  void sweep(std::span<const SweptRow> rows, std::uint32_t feature, std::optional<Split>& best) {
    if (rows.front().value == rows.back().value) return;
    tally_.begin_sweep();
    const std::size_t last = rows.size() - limits_.leaf_rows;
    for (std::size_t left = 1; left <= last; ++left) {
      tally_.move_left(rows[left - 1]);
      const double lower = rows[left - 1].value;
      const double upper = rows[left].value;
      if (left < limits_.leaf_rows || lower == upper) continue;
      const double score = tally_.score();
      if (best && !(score > best->score)) continue;
      const double middle = lower / 2 + upper / 2;
      best = Split{feature, middle < upper ? middle : lower, score};
    }
  }

  /// Sorts each order's stretch into those below and those above, keeping both in order. Gives where "above" begins.
  std::size_t divide(const Stretch& stretch, const Split& split) {
    std::size_t below = 0;
    for (const SweptRow& row : rows_of(stretch, split.feature)) {
      goes_below_[row.row] = row.value <= split.threshold ? 1 : 0;
      below += goes_below_[row.row];
    }
    for (std::vector<SweptRow>& order : orders_) {
      moved_.clear();
      std::size_t write = stretch.begin;
      for (std::size_t read = stretch.begin; read < stretch.end; ++read) {
        if (goes_below_[order[read].row] != 0) {
          order[write++] = order[read];
        } else {
          moved_.push_back(order[read]);
        }
      }
      std::copy(moved_.begin(), moved_.end(), order.begin() + static_cast<std::ptrdiff_t>(write));
    }
    return stretch.begin + below;
  }

  Orders orders_;
  GrowthLimits limits_;
  Tally tally_;
  std::vector<unsigned char> goes_below_;
  std::vector<SweptRow> moved_;
  std::vector<CartNode> nodes_;
};

template <class Tally>
std::vector<CartNode> nodes_of(const TrainingRows& rows, GrowthLimits limits, const std::vector<bool>& left_out) {
  return Grower<Tally>(rows, limits, left_out).grow();
}

std::vector<CartNode> grown(const TrainingRows& rows, SplitCriterion criterion, GrowthLimits limits,
                            const std::vector<bool>& left_out) {
  switch (criterion) {
    case SplitCriterion::gini:
      return nodes_of<GiniTally>(rows, limits, left_out);
    case SplitCriterion::entropy:
      return nodes_of<EntropyTally>(rows, limits, left_out);
    case SplitCriterion::cost:
      return nodes_of<CostTally>(rows, limits, left_out);
  }
  return {};
}

}  // namespace

Cart Cart::grow(const TrainingRows& rows, SplitCriterion criterion, GrowthLimits limits,
                const std::vector<bool>& left_out) {
  std::vector<CartNode> nodes = grown(rows, criterion, limits, left_out);
  if (criterion == SplitCriterion::cost) weigh_pruning(nodes, rows.count());
  return Cart(std::move(nodes));
}

std::uint32_t Cart::answer(std::span<const double> features, std::uint32_t depth, double pruned) const {
  std::uint32_t at = 0;
  for (std::uint32_t asked = 0; nodes_[at].below != 0 && asked < depth && nodes_[at].prune_at > pruned; ++asked)
    at = features[nodes_[at].feature] <= nodes_[at].threshold ? nodes_[at].below : nodes_[at].above;
  return nodes_[at].answer;
}

Cart Cart::simplified(std::uint32_t depth, double pruned) const {
  std::vector<CartNode> kept;
  // Copies the tree below `at` and takes it back when all its leaves say the same.
  const std::function<void(std::uint32_t, std::uint32_t, std::uint32_t)> copy = [&](std::uint32_t at, std::uint32_t to,
                                                                                    std::uint32_t asked) {
    kept[to] = nodes_[at];
    if (kept[to].below == 0 || asked >= depth || kept[to].prune_at <= pruned) {
      kept[to].below = kept[to].above = 0;
      return;
    }
    const auto below = static_cast<std::uint32_t>(kept.size());
    kept.resize(kept.size() + 2);
    kept[to].below = below;
    kept[to].above = below + 1;
    copy(nodes_[at].below, below, asked + 1);
    copy(nodes_[at].above, below + 1, asked + 1);
    const CartNode& lower = kept[below];
    const CartNode& upper = kept[below + 1];
    if (lower.below != 0 || upper.below != 0 || lower.answer != upper.answer) return;
    kept[to].answer = lower.answer;
    kept[to].below = kept[to].above = 0;
    kept.resize(below);
  };
  kept.resize(1);
  copy(0, 0, 0);
  return Cart(std::move(kept));
}

}  // namespace sweetspot
