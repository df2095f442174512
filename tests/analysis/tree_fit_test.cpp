// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/tree_fit.hpp"

#include <gtest/gtest.h>

#include "analysis/samples.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/analysis/fit_report.hpp"

namespace sweetspot {
namespace {

using tests::timed_curve;

/// Small models are best at 510 MHz, deep ones at 714, and a wrong answer costs `penalty`.
Curve curve_of(std::int64_t layers, double length, double penalty = 0.1) {
  const bool deep = layers > 7;
  Curve curve = timed_curve("l" + std::to_string(layers) + "-" + std::to_string(static_cast<int>(length)),
                            {{510, deep ? 1 + penalty : 1}, {612, 1 + penalty / 2}, {714, deep ? 1 : 1 + penalty}});
  curve.layers = layers;
  curve.mean_sequence_length = length;
  curve.energy_scope = "VDD_GPU_SOC+VDD_CPU_CV";
  return curve;
}

std::vector<Curve> sweep() {
  std::vector<Curve> curves;
  for (const std::int64_t layers : {2, 4, 6, 8, 12, 24}) {
    for (const double length : {14.0, 51.0, 55.0}) curves.push_back(curve_of(layers, length));
  }
  return curves;
}

std::string refusal_of(const std::vector<Curve>& curves) {
  const auto data = labelled_curves(curves, {});
  return data ? "accepted" : data.error().message;
}

TEST(LabelledCurves, TakesTheClockOfLeastEnergyForTheLabelAndTheWholeCurveForTheCosts) {
  const std::vector<Curve> curves{curve_of(4, 14), curve_of(24, 14)};
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->features, (std::vector{Feature::layers, Feature::mean_sequence_length}));
  EXPECT_EQ(data->classes, (std::vector{megahertz(510), megahertz(612), megahertz(714)}));
  EXPECT_EQ(data->rows.labels, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_NEAR(regret_of(*data, 0, 1), 0.05, 1e-12);
}

TEST(LabelledCurves, LeavesOutCurvesWhoseBestClockIsNotKnown) {
  std::vector<Curve> curves = sweep();
  curves[3].points.pop_back();
  curves[5].layers.reset();
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  ASSERT_EQ(data->left_out.size(), 2U);
  EXPECT_EQ(data->left_out[0].reason, "was not measured at 714 MHz, so its best clock is not known");
  EXPECT_EQ(data->left_out[1].reason, "has no layers");
}

TEST(LabelledCurves, RefusesWhatIsOfTwoBoardsOrRails) {
  std::vector<Curve> curves = sweep();
  curves[1].platform = "agx-xavier";
  EXPECT_TRUE(refusal_of(curves).starts_with("the curves are of more than one platform")) << refusal_of(curves);
  curves = sweep();
  curves[1].energy_scope = "VIN";
  EXPECT_TRUE(refusal_of(curves).starts_with("the curves are of more than one energy_scope")) << refusal_of(curves);
  EXPECT_TRUE(refusal_of({curve_of(4, 14)}).starts_with("too few curves are complete: 1 of 1"));
}

TEST(FitTree, FindsTheQuestionThatTheDataAnswers) {
  const std::vector<Curve> curves = sweep();
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  for (const FitObjective objective : {FitObjective::accuracy, FitObjective::regret}) {
    const TreeFit fit = fit_tree(*data, objective);
    ASSERT_EQ(fit.tree.nodes().size(), 3U);
    EXPECT_EQ(fit.tree.nodes()[0].threshold, 7);
    EXPECT_EQ(fit.folds, curves.size());
    EXPECT_EQ(fit_report(*data, fit, objective).held_out.accuracy, 1);
  }
}

TEST(FitTree, IsTheSameEveryTime) {
  std::vector<Curve> curves = sweep();
  for (std::size_t i = 0; i < curves.size(); ++i) curves[i].points[i % 3].energy_j.add(0.9);
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  const auto first = decision_tree_of(*data, fit_tree(*data, FitObjective::regret).tree, "fit");
  const auto second = decision_tree_of(*data, fit_tree(*data, FitObjective::regret).tree, "fit");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
}

TEST(FitTree, ByRegretGivesUpRightAnswersThatAreWorthNothing) {
  // Long sequences flip the best clock of deep models by a hair; short ones would pay dearly for a wrong one.
  std::vector<Curve> curves;
  for (const double length : {10.0, 11.0, 12.0, 13.0, 50.0, 51.0, 52.0, 53.0}) {
    const bool is_long = length > 30;
    curves.push_back(timed_curve("c" + std::to_string(static_cast<int>(length)),
                                 {{510, is_long ? 1.0001 : 1}, {612, is_long ? 1 : 1.3}}));
    curves.back().mean_sequence_length = length;
    curves.back().layers = 12;
  }
  curves[4].points[1].energy_j.add(0.9);
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  const TreeFit fit = fit_tree(*data, FitObjective::regret);
  const FitReport report = fit_report(*data, fit, FitObjective::regret);
  EXPECT_LE(report.fitted.regret_mean, report.one_clock.regret_mean + 1e-12);
  EXPECT_LT(report.fitted.regret_worst, 0.3);
}

TEST(FittedTree, AnswersAsItsCartAndFallsBackOutsideItsTrainingRange) {
  const std::vector<Curve> curves = sweep();
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  const auto tree = decision_tree_of(*data, fit_tree(*data, FitObjective::accuracy).tree, "fit");
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->decide(job_of(curves.front()))->clock, megahertz(510));
  EXPECT_EQ(tree->decide(job_of(curves.back()))->clock, megahertz(714));
  const auto outside = tree->decide(JobSpec{.layers = 48, .mean_sequence_length = 51.0});
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().reason, "layers 48 is outside the tree's training range 2 to 24");
}

TEST(FitTree, OfManyCurvesLeavesThemOutInGroups) {
  std::vector<Curve> curves;
  for (int i = 0; i < 600; ++i) curves.push_back(curve_of(1 + i % 30, 10 + i % 50));
  const auto data = labelled_curves(curves, {});
  ASSERT_TRUE(data) << data.error().message;
  const TreeFit fit = fit_tree(*data, FitObjective::accuracy);
  EXPECT_EQ(fit.folds, folds_of_many);
  EXPECT_EQ(fit.held_out.size(), 600U);
}

TEST(DataHash, TellsFilesApart) {
  // The published values of FNV-1a with 64 bits.
  EXPECT_EQ(data_hash(""), "fnv1a64:cbf29ce484222325");
  EXPECT_EQ(data_hash("a"), "fnv1a64:af63dc4c8601ec8c");
  EXPECT_NE(data_hash("ab"), data_hash("ba"));
}

}  // namespace
}  // namespace sweetspot
