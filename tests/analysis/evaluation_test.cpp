// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/evaluation.hpp"

#include <gtest/gtest.h>

#include "analysis/samples.hpp"

namespace sweetspot {
namespace {

using tests::timed_curve;

const FrequencyTable orin =
    FrequencyTable::from({megahertz(306), megahertz(510), megahertz(612), megahertz(714), megahertz(1020)}).value();

Contender fixed(double mhz) {
  return {.name = "fixed", .policy = Policy::fixed, .clock = megahertz(mhz)};
}
const Contender oracle{.name = "oracle", .choice = Contender::Choice::oracle};
const Contender highest{.name = "max", .choice = Contender::Choice::highest};
const Contender none{.name = "none", .policy = Policy::none};
const Contender mlg{.name = "mlg", .policy = Policy::mlg};

/// 306 … 1020 MHz with its optimum at 612 MHz.
Curve u_shape() {
  return timed_curve("u", {{306, 130}, {510, 105}, {612, 100}, {714, 104}, {1020, 150}});
}

Evaluation evaluated(const Curve& curve, std::vector<Contender> contenders, EvaluationSettings settings = {}) {
  settings.contenders = std::move(contenders);
  settings.tables.insert_or_assign("agx-orin-64", orin);
  return evaluate(std::vector{curve}, settings);
}
EvaluatedCurve row_of(const Curve& curve, const Contender& contender, const EvaluationSettings& settings = {}) {
  return evaluated(curve, {contender}, settings).curves.at(0);
}

TEST(Evaluation, ChargesWhatWasMeasuredAtThePolicysClock) {
  Curve curve = u_shape();
  curve.default_governor.emplace().energy_j.add(125);
  const EvaluatedCurve row = row_of(curve, fixed(714));
  EXPECT_EQ(row.frequency, megahertz(714));
  EXPECT_NEAR(*row.regret, 0.04, 1e-12);
  EXPECT_DOUBLE_EQ(*row.saving_vs_maxn, 1 - 104.0 / 125);
  EXPECT_DOUBLE_EQ(*row.saving_vs_max, 1 - 104.0 / 150);
  EXPECT_DOUBLE_EQ(*row.slowdown, 1020.0 / 714 - 1);
  EXPECT_EQ(row.probe_share, 0);
}

TEST(Evaluation, MapsAWishToTheBoardAsTheDaemonDoes) {
  const EvaluatedCurve row = row_of(u_shape(), fixed(640));
  EXPECT_EQ(row.frequency, megahertz(612));
  EXPECT_NE(row.reason.find("nearest clock of this board"), std::string::npos) << row.reason;
}

TEST(Evaluation, TakesACurvesOwnClocksForATableWhereTheBoardIsNotKnown) {
  Curve curve = u_shape();
  curve.platform = "some-board";
  curve.points.erase(curve.points.begin() + 2);
  EXPECT_EQ(row_of(curve, fixed(612)).frequency, megahertz(510));  // of two equally near the lower
}

TEST(Evaluation, HasNoFiguresForAClockThatWasNotMeasured) {
  Curve curve = u_shape();
  curve.points.erase(curve.points.begin() + 2);
  const EvaluatedCurve row = row_of(curve, fixed(612));
  EXPECT_EQ(row.frequency, megahertz(612));
  EXPECT_EQ(row.regret, std::nullopt);
  EXPECT_EQ(row.saving_vs_max, std::nullopt);
}

TEST(Evaluation, GivesPolicyNoneTheDefaultGovernorsEnergy) {
  Curve curve = u_shape();
  EXPECT_EQ(row_of(curve, none).regret, std::nullopt);
  curve.default_governor.emplace().energy_j.add(125);
  const EvaluatedCurve row = row_of(curve, none);
  EXPECT_EQ(row.frequency, std::nullopt);
  EXPECT_DOUBLE_EQ(*row.regret, 0.25);
  EXPECT_EQ(row.saving_vs_maxn, 0);
}

TEST(Evaluation, NeverLetsTheOracleBeBeaten) {
  EXPECT_EQ(row_of(u_shape(), oracle).regret, 0);
  EXPECT_EQ(row_of(u_shape(), oracle).frequency, megahertz(612));
}

TEST(Evaluation, PinsMaxAtTheBoardsHighestClockWhetherItWasMeasuredOrNot) {
  EXPECT_DOUBLE_EQ(*row_of(u_shape(), highest).regret, 0.5);
  Curve curve = u_shape();
  curve.points.pop_back();
  EXPECT_EQ(row_of(curve, highest).frequency, megahertz(1020));
  EXPECT_EQ(row_of(curve, highest).regret, std::nullopt);
}

TEST(Evaluation, FallsBackAsTheDaemonDoesWhereTheTreeLacksAFeature) {
  const EvaluatedCurve row = row_of(u_shape(), mlg);
  EXPECT_TRUE(row.fallback);
  EXPECT_EQ(row.frequency, megahertz(612));
}

TEST(Evaluation, BoundsTheOracleByMaxSlowdownAndMarksWhoIsSlower) {
  const EvaluationSettings bounded{.max_slowdown = 1.5};
  const EvaluatedCurve best = row_of(u_shape(), oracle, bounded);
  EXPECT_EQ(best.frequency, megahertz(714));
  EXPECT_FALSE(best.too_slow);
  const EvaluatedCurve slow = row_of(u_shape(), fixed(612), bounded);
  EXPECT_TRUE(slow.too_slow);
  EXPECT_LT(*slow.regret, 0);
}

TEST(Evaluation, SummarisesMeanP95AndWorst) {
  std::vector<Curve> curves;
  for (int i = 0; i < 20; ++i) curves.push_back(timed_curve("c" + std::to_string(i), {{306, 100}, {510, 100.0 + i}}));
  const Evaluation evaluation = evaluate(curves, {.contenders = {fixed(510)}});
  const PolicySummary& summary = evaluation.summary.at(0);
  EXPECT_EQ(summary.curves, 20U);
  EXPECT_NEAR(*summary.regret_mean, 0.095, 1e-12);
  EXPECT_NEAR(*summary.regret_p95, 0.18, 1e-12);
  EXPECT_NEAR(*summary.regret_worst, 0.19, 1e-12);
}

TEST(Evaluation, SummarisesEachPlatformByItself) {
  std::vector<Curve> curves{u_shape(), u_shape(), u_shape()};
  curves[1].platform = "other";
  const Evaluation evaluation = evaluate(curves, {.contenders = {fixed(714)}});
  ASSERT_EQ(evaluation.platforms.size(), 2U);
  EXPECT_EQ(evaluation.platforms[0].platform, "agx-orin-64");
  EXPECT_EQ(evaluation.platforms[0].summary.at(0).curves, 2U);
  EXPECT_EQ(evaluation.platforms[1].summary.at(0).curves, 1U);
}

/// A small model of short sequences on a curve of 100 s at 612 MHz.
Curve small_model(double load_percent) {
  Curve curve = timed_curve("small", {});
  curve.layers = 6;
  curve.mean_sequence_length = 51;
  curve.total_steps = 10;
  for (const auto& [mhz, joules] : {std::pair{306.0, 95.0}, {612.0, 100.0}, {1020.0, 150.0}}) {
    CurvePoint& point = curve.points.emplace_back();
    point.clock = megahertz(mhz);
    point.energy_j.add(joules);
    point.time_s.add(100 * 612 / mhz);
    point.load_percent.add(load_percent);
  }
  return curve;
}

TEST(SecondStage, IsShownApartWithAndWithout) {
  const Evaluation evaluation = evaluated(small_model(20), {mlg});
  EXPECT_EQ(evaluation.curves.at(0).frequency, megahertz(612));
  const SecondStageOnCurve& row = evaluation.second_stage.at(0);
  EXPECT_TRUE(row.moves);
  EXPECT_EQ(row.frequency_without, megahertz(612));
  EXPECT_EQ(row.frequency_with, megahertz(1020));
  EXPECT_DOUBLE_EQ(*row.regret_without, 100.0 / 95 - 1);
  // 40 s of 100 s at the first clock, and 60 % of the work at the second.
  EXPECT_DOUBLE_EQ(*row.regret_with, (0.4 * 100 + 0.6 * 150) / 95 - 1);
}

TEST(SecondStage, StaysAtAMeasuredLoadAboveItsLimit) {
  const SecondStageOnCurve row = evaluated(small_model(80), {mlg}).second_stage.at(0);
  EXPECT_FALSE(row.moves);
  EXPECT_EQ(row.load_percent, 80);
  EXPECT_EQ(row.frequency_with, megahertz(612));
}

TEST(SecondStage, NeverDecidesInAJobThatEndsBefore) {
  EXPECT_FALSE(evaluated(small_model(20), {mlg}, {.steps = 3}).second_stage.at(0).moves);
  EXPECT_TRUE(evaluated(small_model(20), {mlg}, {.steps = 5}).second_stage.at(0).moves);
}

TEST(SecondStage, IsNotLookedAtForOtherPolicies) {
  EXPECT_TRUE(evaluated(small_model(20), {none, fixed(612), oracle}).second_stage.empty());
}

}  // namespace
}  // namespace sweetspot
