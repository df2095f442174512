// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/decision_tree.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sweetspot {
namespace {

TreeNode leaf(double mhz) {
  return {.clock = megahertz(mhz)};
}
TreeNode ask(Feature feature, double threshold, std::uint32_t below, std::uint32_t above) {
  return {.feature = feature, .threshold = threshold, .below = below, .above = above};
}
std::string refusal_of(std::vector<TreeNode> nodes, std::vector<FeatureRange> ranges = {}) {
  const auto tree =
      DecisionTree::from({.name = "test", .nodes = std::move(nodes), .training_ranges = std::move(ranges)});
  return tree ? "accepted" : tree.error().message;
}
DecisionTree tree_of(std::vector<TreeNode> nodes, std::vector<FeatureRange> ranges = {}) {
  return DecisionTree::from({.name = "test", .nodes = std::move(nodes), .training_ranges = std::move(ranges)}).value();
}
/// A chain of `depth` questions, each with a leaf below and the next question above.
std::vector<TreeNode> chain_of(std::uint32_t depth) {
  std::vector<TreeNode> nodes;
  for (std::uint32_t i = 0; i < depth; ++i) {
    nodes.push_back(ask(Feature::layers, i, 2 * i + 1, 2 * i + 2));
    nodes.push_back(leaf(510));
  }
  nodes.push_back(leaf(612));
  return nodes;
}

TEST(DecisionTree, ASingleLeafAnswersEveryJobWithoutAQuestion) {
  const auto answer = tree_of({leaf(612)}).decide(JobSpec{});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->clock, megahertz(612));
  EXPECT_TRUE(answer->path.empty());
}

TEST(DecisionTree, AValueOfExactlyTheThresholdGoesBelow) {
  const DecisionTree tree = tree_of({ask(Feature::mean_sequence_length, 32.5, 1, 2), leaf(510), leaf(612)});
  EXPECT_EQ(tree.decide({.mean_sequence_length = 32.5})->clock, megahertz(510));
  EXPECT_EQ(tree.decide({.mean_sequence_length = 32.500001})->clock, megahertz(612));
}

TEST(DecisionTree, AsksEveryFeature) {
  const JobSpec spec{.layers = 1, .hidden_size = 2, .mean_sequence_length = 3.5, .batch_size = 4};
  for (const auto& [feature, line] :
       {std::pair{Feature::layers, "layers 1 > 0"}, std::pair{Feature::hidden_size, "hidden_size 2 > 0"},
        std::pair{Feature::mean_sequence_length, "mean_sequence_length 3.5 > 0"},
        std::pair{Feature::batch_size, "batch_size 4 > 0"}}) {
    const auto answer = tree_of({ask(feature, 0, 1, 2), leaf(510), leaf(612)}).decide(spec);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->path, std::vector<std::string>{line});
  }
}

TEST(DecisionTree, ThePathNamesEveryQuestionRootFirst) {
  const DecisionTree tree = tree_of(
      {ask(Feature::layers, 7, 1, 2), leaf(510), ask(Feature::mean_sequence_length, 53, 3, 4), leaf(714), leaf(816)});
  const auto answer = tree.decide({.layers = 24, .mean_sequence_length = 51.25});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->path, (std::vector<std::string>{"layers 24 > 7", "mean_sequence_length 51.25 <= 53"}));
}

TEST(DecisionTree, NamesTheFeatureThatTheJobLacks) {
  const DecisionTree tree = tree_of({ask(Feature::hidden_size, 768, 1, 2), leaf(510), leaf(612)});
  const auto answer = tree.decide({.layers = 12});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().reason, "the job gives no hidden_size");
}

TEST(DecisionTree, DoesNotNeedAFeatureThatItsPathDoesNotAskFor) {
  const DecisionTree tree =
      tree_of({ask(Feature::layers, 7, 1, 2), leaf(510), ask(Feature::batch_size, 32, 3, 4), leaf(612), leaf(714)});
  EXPECT_TRUE(tree.decide({.layers = 6}));
  EXPECT_FALSE(tree.decide({.layers = 8}));
}

TEST(DecisionTree, HasNoAnswerOutsideItsTrainingRangeAndSaysWhichOne) {
  const DecisionTree tree = tree_of({leaf(612)}, {{Feature::layers, 2, 24}, {Feature::mean_sequence_length, 14, 55.5}});
  for (const double inside : {14.0, 30.0, 55.5})
    EXPECT_TRUE(tree.decide({.layers = 24, .mean_sequence_length = inside})) << inside;
  const auto answer = tree.decide({.layers = 24, .mean_sequence_length = 55.6});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().reason, "mean_sequence_length 55.6 is outside the tree's training range 14 to 55.5");
  EXPECT_FALSE(tree.decide({.layers = 1, .mean_sequence_length = 30}));
}

TEST(DecisionTree, AnAbsentFeatureIsNotOutsideTheTrainingRange) {
  EXPECT_TRUE(tree_of({leaf(612)}, {{Feature::hidden_size, 128, 1024}}).decide(JobSpec{}));
}

TEST(DecisionTree, RefusesATreeWithoutNodesOrWithTooMany) {
  EXPECT_NE(refusal_of({}).find("nodes"), std::string::npos);
  EXPECT_NE(refusal_of(std::vector<TreeNode>(4097, leaf(612))).find("4096"), std::string::npos);
}

TEST(DecisionTree, RefusesCycles) {
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 0, 1), leaf(510)}), "accepted");
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 1, 2), ask(Feature::layers, 3, 0, 2), leaf(510)}), "accepted");
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 1, 2), ask(Feature::layers, 3, 1, 2), leaf(510)}), "accepted");
}

TEST(DecisionTree, RefusesChildrenThatDoNotExist) {
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 1, 2), leaf(510)}), "accepted");
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 1, ~0U), leaf(510)}), "accepted");
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 0, 0)}), "accepted");
}

TEST(DecisionTree, RefusesANodeWithTwoParents) {
  EXPECT_EQ(refusal_of({ask(Feature::layers, 7, 1, 1), leaf(510)}), "node 1 has two parents");
  EXPECT_EQ(refusal_of({ask(Feature::layers, 7, 1, 2), ask(Feature::layers, 3, 3, 4), ask(Feature::layers, 9, 3, 4),
                        leaf(510), leaf(612)}),
            "node 3 has two parents");
}

TEST(DecisionTree, RefusesNodesThatNothingLeadsTo) {
  EXPECT_NE(refusal_of({leaf(510), leaf(612)}).find("node 1"), std::string::npos);
  EXPECT_NE(refusal_of({ask(Feature::layers, 7, 1, 2), leaf(510), leaf(612), leaf(714)}).find("node 3"),
            std::string::npos);
}

TEST(DecisionTree, RefusesThresholdsThatAreNoNumbers) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    EXPECT_NE(refusal_of({ask(Feature::layers, bad, 1, 2), leaf(510), leaf(612)}).find("threshold"), std::string::npos);
}

TEST(DecisionTree, RefusesALeafOfZeroHertz) {
  EXPECT_NE(refusal_of({{.clock = Hertz{0}}}).find("clock 0"), std::string::npos);
}

TEST(DecisionTree, IsAtMostSixtyFourQuestionsDeep) {
  EXPECT_EQ(refusal_of(chain_of(64)), "accepted");
  EXPECT_NE(refusal_of(chain_of(65)).find("deeper than 64"), std::string::npos);
}

TEST(DecisionTree, RefusesTrainingRangesThatAreUpsideDownOrNoNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const FeatureRange& bad : {FeatureRange{Feature::layers, 24, 2}, FeatureRange{Feature::layers, nan, 2},
                                  FeatureRange{Feature::layers, 2, nan}, FeatureRange{Feature::layers, 2, infinity}})
    EXPECT_NE(refusal_of({leaf(612)}, {bad}).find("training range of layers"), std::string::npos);
}

/// Random parts, most of them broken: whatever from() accepts must answer every job with the clock of one of its
/// leaves.
TEST(DecisionTree, WhateverItAcceptsAnswersEveryJob) {
  std::mt19937 random(24);
  const auto number = [&](std::uint32_t below) {
    return std::uniform_int_distribution<std::uint32_t>(0, below - 1)(random);
  };
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::uint32_t size = 1 + number(6);
    std::vector<TreeNode> nodes;
    for (std::uint32_t i = 0; i < size; ++i)
      nodes.push_back(number(2) == 0 ? leaf(306 + number(10))
                                     : ask(static_cast<Feature>(number(4)), number(50), number(size), number(size)));
    const auto tree = DecisionTree::from({.name = "random", .nodes = nodes, .training_ranges = {}});
    if (!tree) continue;
    ++accepted;
    const auto answer = tree->decide({.layers = 1 + number(50),
                                      .hidden_size = 1 + number(50),
                                      .mean_sequence_length = 1.0 + number(50),
                                      .batch_size = 1 + number(50)});
    ASSERT_TRUE(answer);
    ASSERT_TRUE(
        std::any_of(nodes.begin(), nodes.end(), [&](const TreeNode& node) { return node.clock == answer->clock; }));
    ASSERT_LT(answer->path.size(), nodes.size());
  }
  EXPECT_GT(accepted, 100);
}

TEST(DecisionTree, FeatureNamesReadBack) {
  for (std::size_t i = 0; i < feature_count; ++i) {
    const Feature feature{static_cast<int>(i)};
    EXPECT_EQ(feature_named(name_of(feature)), feature);
  }
  EXPECT_EQ(feature_named("model_type"), std::nullopt);
}

}  // namespace
}  // namespace sweetspot
