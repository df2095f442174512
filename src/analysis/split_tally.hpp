// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sweetspot/analysis/cart.hpp"

namespace sweetspot {

/// A row as the grower sweeps over it: one feature's value with what the tallies need.
struct SweptRow {
  double value;
  std::uint32_t row;
  std::uint32_t label;
};

/// The classes on both sides of a cut that moves through a node's rows. The sums and the order of the operations are
/// those of scikit-learn, so that what ties there ties here.
class ClassCounts {
 public:
  explicit ClassCounts(std::uint32_t classes) : all_(classes), left_(classes), right_(classes) {}

  void begin_node(std::span<const SweptRow> rows) {
    std::fill(all_.begin(), all_.end(), 0.0);
    for (const SweptRow& row : rows) ++all_[row.label];
    rows_ = static_cast<double>(rows.size());
  }
  [[nodiscard]] std::uint32_t best_class() const {
    return static_cast<std::uint32_t>(std::max_element(all_.begin(), all_.end()) - all_.begin());
  }
  [[nodiscard]] double cost() const { return rows_ - *std::max_element(all_.begin(), all_.end()); }
  [[nodiscard]] bool is_settled() const { return cost() == 0; }

 protected:
  std::vector<double> all_;
  std::vector<double> left_;
  std::vector<double> right_;
  double rows_ = 0;
  double left_rows_ = 0;
};

class GiniTally : public ClassCounts {
 public:
  explicit GiniTally(const TrainingRows& rows) : ClassCounts(rows.classes) {}
  void begin_sweep() {
    std::fill(left_.begin(), left_.end(), 0.0);
    right_ = all_;
    left_rows_ = left_squares_ = right_squares_ = 0;
    for (const double count : all_) right_squares_ += count * count;
  }
  void move_left(const SweptRow& row) {
    // (n + 1)² - n² and n² - (n - 1)²: whole numbers, hence exact.
    left_squares_ += 2 * left_[row.label]++ + 1;
    right_squares_ -= 2 * right_[row.label]-- - 1;
    ++left_rows_;
  }
  [[nodiscard]] double score() const { return left_squares_ / left_rows_ + right_squares_ / (rows_ - left_rows_); }

 private:
  double left_squares_ = 0;
  double right_squares_ = 0;
};

class EntropyTally : public ClassCounts {
 public:
  explicit EntropyTally(const TrainingRows& rows) : ClassCounts(rows.classes) {}
  void begin_sweep() {
    std::fill(left_.begin(), left_.end(), 0.0);
    right_ = all_;
    left_rows_ = 0;
  }
  void move_left(const SweptRow& row) {
    ++left_[row.label];
    --right_[row.label];
    ++left_rows_;
  }
  [[nodiscard]] double score() const {
    const double right_rows = rows_ - left_rows_;
    return -right_rows * entropy(right_, right_rows) - left_rows_ * entropy(left_, left_rows_);
  }

 private:
  static double entropy(const std::vector<double>& counts, double rows) {
    static const double ln2 = std::log(2.0);
    double sum = 0;
    for (const double count : counts) {
      if (count > 0) sum -= count / rows * (std::log(count / rows) / ln2);
    }
    return sum;
  }
};

/// What the rows on both sides would cost, each side under the class that is cheapest for it.
class CostTally {
 public:
  explicit CostTally(const TrainingRows& rows)
      : costs_(rows.costs), all_(rows.classes), left_(rows.classes), right_(rows.classes) {}

  void begin_node(std::span<const SweptRow> rows) {
    std::fill(all_.begin(), all_.end(), 0.0);
    for (const SweptRow& row : rows) add(all_, row, 1);
    rows_ = rows.size();
  }
  [[nodiscard]] std::uint32_t best_class() const {
    return static_cast<std::uint32_t>(std::min_element(all_.begin(), all_.end()) - all_.begin());
  }
  [[nodiscard]] double cost() const { return least(all_); }
  /// Costs are shares of a job's energy: what is left below a billionth is rounding.
  [[nodiscard]] bool is_settled() const { return cost() <= 1e-9 * static_cast<double>(rows_); }
  void begin_sweep() {
    std::fill(left_.begin(), left_.end(), 0.0);
    right_ = all_;
  }
  void move_left(const SweptRow& row) {
    add(left_, row, 1);
    add(right_, row, -1);
  }
  /// Rounded, so that sums in another order still tie.
  [[nodiscard]] double score() const { return -std::round((least(left_) + least(right_)) * 1e9) / 1e9; }

 private:
  static double least(const std::vector<double>& sums) { return *std::min_element(sums.begin(), sums.end()); }
  void add(std::vector<double>& sums, const SweptRow& row, double sign) const {
    const double* cost = costs_.data() + row.row * sums.size();
    for (double& sum : sums) sum += sign * *cost++;
  }

  const std::vector<double>& costs_;
  std::vector<double> all_;
  std::vector<double> left_;
  std::vector<double> right_;
  std::size_t rows_ = 0;
};

}  // namespace sweetspot
