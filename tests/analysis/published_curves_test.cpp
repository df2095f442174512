// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "places.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/analysis/evaluation.hpp"

// What docs/policies.md says of the published curves comes out of the published curves.
namespace sweetspot {
namespace {

std::vector<Curve> published() {
  std::ifstream file(SWEETSPOT_SOURCE_DIR "/config/curves/published.csv", std::ios::binary);
  auto curves = parse_curves(std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  EXPECT_TRUE(curves) << curves.error().message;
  return curves ? *curves : std::vector<Curve>{};
}

const FrequencyTable orin_clocks =
    FrequencyTable::from({megahertz(306), megahertz(408), megahertz(510), megahertz(612), megahertz(714),
                          megahertz(816), megahertz(918), megahertz(1020), megahertz(1122), megahertz(1224),
                          megahertz(1300.5)})
        .value();

Evaluation evaluation() {
  EvaluationSettings settings{.contenders = {{.name = "mlg", .policy = Policy::mlg},
                                             {.name = "612", .policy = Policy::fixed, .clock = megahertz(612)},
                                             {.name = "none", .policy = Policy::none},
                                             {.name = "max", .choice = Contender::Choice::highest},
                                             {.name = "oracle", .choice = Contender::Choice::oracle}}};
  settings.tables.insert_or_assign("agx-orin-64", orin_clocks);
  return evaluate(published(), settings);
}

PolicySummary on_orin(const std::string& policy) {
  for (const PlatformSummary& platform : evaluation().platforms) {
    if (platform.platform != "agx-orin-64") continue;
    for (const PolicySummary& summary : platform.summary) {
      if (summary.policy == policy) return summary;
    }
  }
  ADD_FAILURE() << policy << " is not in the summary";
  return {};
}

EvaluatedCurve row_of(const std::string& curve_id, const std::string& policy) {
  for (const EvaluatedCurve& row : evaluation().curves) {
    if (row.curve_id == curve_id && row.policy == policy) return row;
  }
  ADD_FAILURE() << curve_id << " under " << policy << " is missing";
  return {};
}

double in_tenths(const std::optional<double>& share) {
  return share ? std::round(*share * 1000) / 10 : -1;
}

TEST(PublishedCurves, AreSevenAndFourOfThemAreOfAnOrin) {
  const std::vector<Curve> curves = published();
  EXPECT_EQ(curves.size(), 7U);
  EXPECT_EQ(std::count_if(curves.begin(), curves.end(), [](const Curve& c) { return c.platform == "agx-orin-64"; }), 4);
}

TEST(PublishedCurves, GiveMlgAMeanRegretOf0Point9PerCent) {
  const PolicySummary mlg = on_orin("mlg");
  EXPECT_EQ(mlg.curves, 3U);  // the fourth was not measured at MLG's clock
  EXPECT_EQ(in_tenths(mlg.regret_mean), 0.9);
}

TEST(PublishedCurves, Give612MegahertzAMeanRegretOf0Point8AndAWorstOf2Point1PerCent) {
  const PolicySummary fixed = on_orin("612");
  EXPECT_EQ(fixed.curves, 3U);
  EXPECT_EQ(in_tenths(fixed.regret_mean), 0.8);
  EXPECT_EQ(in_tenths(fixed.regret_worst), 2.1);
}

TEST(PublishedCurves, GiveTheSecondStageARegretOf24Point9PerCentOnPythia) {
  const auto rows = evaluation().second_stage;
  const auto pythia = std::find_if(rows.begin(), rows.end(), [](const SecondStageOnCurve& row) {
    return row.curve_id == "orin-train-pythia-14m-qnli";
  });
  ASSERT_NE(pythia, rows.end());
  EXPECT_EQ(in_tenths(pythia->regret_without), 2.1);
  EXPECT_EQ(pythia->frequency_with, megahertz(1020));
  EXPECT_EQ(in_tenths(pythia->regret_with), 24.9);
}

TEST(PublishedCurves, GiveGemmaNoFigureAtAClockItWasNotMeasuredAt) {
  const EvaluatedCurve row = row_of("orin-train-gemma-2b-qnli", "mlg");
  EXPECT_EQ(row.frequency, megahertz(714));
  EXPECT_EQ(row.regret, std::nullopt);
}

TEST(PublishedCurves, SetPinnedMaxAndTheDefaultGovernorApart) {
  EXPECT_EQ(in_tenths(row_of("orin-train-gemma-2b-qnli", "max").saving_vs_maxn), -7.7);
  EXPECT_EQ(in_tenths(row_of("orin-train-pythia-14m-qnli", "none").saving_vs_max), 27.0);
}

TEST(PublishedCurves, OfAnXavierHaveTimesAndItsOwnClocks) {
  const EvaluatedCurve row = row_of("agx-xavier-train-CIFAR10", "612");
  EXPECT_EQ(row.frequency, megahertz(624.75));
  EXPECT_EQ(in_tenths(row.slowdown), 98.3);
}

}  // namespace
}  // namespace sweetspot
