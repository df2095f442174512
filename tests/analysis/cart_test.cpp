// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/cart.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

/// One column per list, one label per row.
TrainingRows rows_of(std::vector<std::vector<double>> columns, std::vector<std::uint32_t> labels) {
  std::uint32_t classes = 0;
  for (const std::uint32_t label : labels) classes = std::max(classes, label + 1);
  return {.columns = std::move(columns), .labels = std::move(labels), .classes = classes};
}

TEST(Cart, CutsMidwayBetweenNeighbouringValues) {
  const Cart tree = Cart::grow(rows_of({{14, 51, 14, 51}}, {0, 1, 0, 1}), SplitCriterion::gini, {});
  ASSERT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.nodes()[0].threshold, 32.5);
  EXPECT_EQ(tree.answer(std::vector{32.5}), 0U);
  EXPECT_EQ(tree.answer(std::vector{32.6}), 1U);
}

TEST(Cart, FindsThePapersThresholdsInRowsAsThePapersAre) {
  // layers, length: 6 and 8 layers, SST-2, QNLI and MRPC.
  const Cart tree =
      Cart::grow(rows_of({{6, 6, 6, 8, 8, 8}, {14, 51, 55, 14, 51, 55}}, {0, 1, 1, 2, 2, 3}), SplitCriterion::gini, {});
  EXPECT_EQ(tree.nodes()[0].feature, 0U);
  EXPECT_EQ(tree.nodes()[0].threshold, 7);
  EXPECT_EQ(tree.answer(std::vector{7.0, 32.5}), 0U);
  EXPECT_EQ(tree.answer(std::vector{7.0, 32.6}), 1U);
  EXPECT_EQ(tree.answer(std::vector{8.0, 53.0}), 2U);
  EXPECT_EQ(tree.answer(std::vector{8.0, 53.1}), 3U);
}

TEST(Cart, TakesTheFirstFeatureOfTwoThatSplitEquallyWell) {
  const Cart tree = Cart::grow(rows_of({{1, 1, 2, 2}, {5, 5, 9, 9}}, {0, 0, 1, 1}), SplitCriterion::entropy, {});
  EXPECT_EQ(tree.nodes()[0].feature, 0U);
}

TEST(Cart, IsOneLeafWhereNothingCanBeAsked) {
  EXPECT_EQ(Cart::grow(rows_of({{3, 3, 3}}, {0, 1, 1}), SplitCriterion::gini, {}).nodes().size(), 1U);
  EXPECT_EQ(Cart::grow(rows_of({{1, 2, 3}}, {1, 1, 1}), SplitCriterion::gini, {}).nodes().size(), 1U);
  EXPECT_EQ(Cart::grow(rows_of({}, {0, 1, 1}), SplitCriterion::gini, {}).answer({}), 1U);
}

TEST(Cart, AnswersTheLowestOfEquallyFrequentClasses) {
  EXPECT_EQ(Cart::grow(rows_of({{3, 3, 3, 3}}, {2, 1, 2, 1}), SplitCriterion::gini, {}).answer(std::vector{3.0}), 1U);
}

TEST(Cart, SplitsWhereNothingIsGainedYet) {
  // Exclusive or: no first question helps, two do.
  const Cart tree = Cart::grow(rows_of({{0, 0, 1, 1}, {0, 1, 0, 1}}, {0, 1, 1, 0}), SplitCriterion::gini, {});
  EXPECT_EQ(tree.answer(std::vector{0.0, 1.0}), 1U);
  EXPECT_EQ(tree.answer(std::vector{1.0, 1.0}), 0U);
}

TEST(Cart, KeepsWithinItsLimits) {
  const TrainingRows rows = rows_of({{1, 2, 3, 4, 5, 6}}, {0, 1, 0, 1, 0, 1});
  EXPECT_EQ(Cart::grow(rows, SplitCriterion::gini, {.depth = 1}).nodes().size(), 3U);
  const Cart tree = Cart::grow(rows, SplitCriterion::gini, {.leaf_rows = 3});
  ASSERT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.nodes()[0].threshold, 3.5);
}

TEST(Cart, AnswersAtADepthAsATreeOfThatDepthDoes) {
  const TrainingRows rows = rows_of({{1, 2, 3, 4, 5, 6, 7, 8}, {8, 3, 5, 1, 7, 2, 6, 4}}, {0, 1, 2, 1, 0, 2, 1, 0});
  const Cart deep = Cart::grow(rows, SplitCriterion::gini, {});
  for (std::uint32_t depth = 0; depth < 6; ++depth) {
    const Cart shallow = Cart::grow(rows, SplitCriterion::gini, {.depth = depth});
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const std::vector<double> features{rows.columns[0][row], rows.columns[1][row]};
      EXPECT_EQ(deep.answer(features, depth), shallow.answer(features)) << depth;
      EXPECT_EQ(deep.simplified(depth, -1).answer(features), shallow.answer(features)) << depth;
    }
  }
}

TEST(Cart, LeavesRowsOut) {
  const Cart tree = Cart::grow(rows_of({{1, 2, 3}}, {0, 1, 1}), SplitCriterion::gini, {}, {true, false, false});
  EXPECT_EQ(tree.nodes().size(), 1U);
  EXPECT_EQ(tree.answer(std::vector{1.0}), 1U);
}

/// Two features; the label hangs on the first, the joules on the second.
TrainingRows rows_with_costs() {
  TrainingRows rows = rows_of({{1, 1, 2, 2}, {1, 2, 1, 2}}, {0, 0, 1, 1});
  // Rows whose second feature is 1 lose nothing under either class; the others lose 0.5 under class 0 or 0.1 under
  // class 1.
  rows.costs = {0, 0, 0, 0.4, 0.001, 0, 0.5, 0};
  return rows;
}

TEST(CartByCost, TakesTheClassThatIsCheapestInAll) {
  const Cart leaf = Cart::grow(rows_with_costs(), SplitCriterion::cost, {.depth = 0});
  EXPECT_EQ(leaf.nodes()[0].answer, 1U);
  EXPECT_NEAR(leaf.nodes()[0].cost, 0.4, 1e-12);
}

TEST(CartByCost, SplitsWhereItSavesMost) {
  const Cart tree = Cart::grow(rows_with_costs(), SplitCriterion::cost, {});
  EXPECT_EQ(tree.nodes()[0].feature, 0U);
  EXPECT_EQ(tree.answer(std::vector{1.0, 2.0}), 0U);
  EXPECT_EQ(tree.answer(std::vector{2.0, 2.0}), 1U);
}

TEST(CartByCost, PrunesWhatSavesLessThanAskedFor) {
  // A first question that saves 1 in all, a second one that saves 0.1.
  TrainingRows rows = rows_of({{1, 2, 3, 4}}, {0, 1, 2, 2});
  rows.classes = 3;
  rows.costs = {0, 0.1, 1, 0.1, 0, 1, 1, 1, 0, 1, 1, 0};
  const Cart tree = Cart::grow(rows, SplitCriterion::cost, {});
  EXPECT_EQ(tree.simplified(9, -1).nodes().size(), 5U);
  EXPECT_EQ(tree.simplified(9, 0.03).nodes().size(), 3U);
  EXPECT_EQ(tree.simplified(9, 10).nodes().size(), 1U);
  EXPECT_EQ(tree.answer(std::vector{2.0}, 9, 0.03), 0U);
}

TEST(Cart, DropsQuestionsWhoseAnswersAreAllTheSame) {
  // The cheapest class of both sides is the same.
  const TrainingRows rows = rows_of({{1, 1, 1, 2, 2, 2}}, {0, 0, 0, 0, 0, 1});
  const Cart tree = Cart::grow(rows, SplitCriterion::gini, {});
  EXPECT_EQ(tree.nodes().size(), 3U);
  EXPECT_EQ(tree.simplified(9, -1).nodes().size(), 1U);
}

}  // namespace
}  // namespace sweetspot
