// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/parts_of_text.hpp"
#include "analysis/samples.hpp"
#include "sweetspot/analysis/characterisation.hpp"
#include "sweetspot/analysis/evaluation.hpp"
#include "sweetspot/core/mlg.hpp"

namespace sweetspot {
namespace {

using tests::count;
using tests::has;
using tests::timed_curve;

/// A report of these curves under the default governor, ffg and the best clock.
Report report_of(std::vector<Curve> curves) {
  Report report{.made = "2026-07-08 09:30 UTC", .program = "sweetspot 1.2.3"};
  report.files = {{"curves.csv", "fnv1a64:0123456789abcdef", curves.size()}};
  report.curves = std::move(curves);
  const EvaluationSettings settings{.contenders = {{.name = "none", .policy = Policy::none},
                                                   {.name = "ffg", .policy = Policy::ffg},
                                                   {.name = "oracle", .choice = Contender::Choice::oracle}}};
  report.evaluation = evaluate(report.curves, settings);
  for (const Curve& curve : report.curves) report.characterised.push_back(characterise(curve, {}));
  return report;
}

Curve u_curve(const std::string& id) {
  Curve curve = timed_curve(id, {{306, 130}, {510, 105}, {612, 100}, {714, 104}, {1020, 150}});
  curve.default_governor.emplace().energy_j.add(125);
  return curve;
}

/// A finished job of 3 kJ over 100 s and 300 steps.
EnergyRecord finished(const std::string& name) {
  EnergyRecord job;
  job.name = name;
  job.decision.policy = "mlg";
  job.applied = megahertz(612);
  job.duration = seconds(100);
  job.steps = 300;
  job.energy = Joules{3000};
  job.rails_counted = {"VDD_GPU_SOC", "VDD_CPU_CV"};
  job.mean_power = Watts{30};
  job.coverage = 1;
  job.energy_valid = true;
  return job;
}

/// A tree of so many leaves: each question has a leaf below its threshold.
DecisionTree chain(std::uint32_t leaves) {
  DecisionTree::Parts parts{.name = "chain", .nodes = {}, .training_ranges = {}};
  const auto leaf = [](std::uint32_t number) { return TreeNode{.clock = megahertz(300 + number)}; };
  for (std::uint32_t each = 0; each + 1 < leaves; ++each) {
    const std::uint32_t next = 2 * each + 1;
    parts.nodes.push_back({.feature = Feature::layers, .threshold = each + 0.5, .below = next, .above = next + 1});
    parts.nodes.push_back(leaf(each));
  }
  parts.nodes.push_back(leaf(leaves));
  return DecisionTree::from(std::move(parts)).value();
}

TEST(Report, DrawsEveryPointOfEveryQuantity) {
  const std::string page = report_page(report_of({u_curve("a")}));
  EXPECT_EQ(count(page, "class=\"point "), 3U * 5U);
  for (const std::string id : {"curve-1-energy", "curve-1-time", "curve-1-power"})
    EXPECT_EQ(count(page, "class=\"chart\" id=\"" + id + "\""), 1U) << id;
}

TEST(Report, DrawsNoTimeOrPowerThatWasNotMeasured) {
  Curve curve;
  curve.id = "energy alone";
  for (const double mhz : {306.0, 612.0}) {
    curve.points.emplace_back().clock = megahertz(mhz);
    curve.points.back().energy_j.add(mhz);
  }
  const std::string page = report_page(report_of({curve}));
  EXPECT_EQ(count(page, "class=\"point "), 2U);
  EXPECT_FALSE(has(page, "curve-1-time"));
  EXPECT_FALSE(has(page, "curve-1-power"));
}

TEST(Report, MarksTheClockOfEachPolicyAndWhatTheDefaultGovernorCosts) {
  const std::string page = report_page(report_of({u_curve("a")}));
  EXPECT_EQ(count(page, ">ffg, best</text>"), 3U) << "612 MHz in each of the three charts";
  EXPECT_EQ(count(page, ">MAXN (default governor)</text>"), 1U) << "it has no time";
}

TEST(Report, HasErrorBarsOnlyWhereRunsWereRepeated) {
  Curve curve = u_curve("a");
  curve.points[2].energy_j.add(104);
  const std::string page = report_page(report_of({curve}));
  EXPECT_EQ(count(page, "class=\"spread "), 3U) << "one bar with two ends";
  EXPECT_TRUE(has(page, "Bars: standard deviation over the repeats."));
  EXPECT_TRUE(has(page, "Single runs: no error bars."));
}

TEST(Report, SaysWhatWasSavedAndWhatIsLeftToSave) {
  const std::string page = report_page(report_of({u_curve("a")}));
  EXPECT_TRUE(has(page, "<p class=\"big\">20.0\xC2\xA0% less</p>")) << "100 J instead of 125 J";
  EXPECT_TRUE(has(page, "energy with <b>ffg</b> than with the default governor (MAXN)"));
  EXPECT_TRUE(has(page, ">25.0\xC2\xA0%</td>")) << "the default governor's regret";
}

TEST(Report, GivesNoSavingWithoutABaselineThatWasMeasured) {
  Curve curve = u_curve("a");
  curve.default_governor.reset();
  const std::string page = report_page(report_of({curve}));
  EXPECT_FALSE(has(page, "than with the default governor"));
  EXPECT_FALSE(has(page, "Energy saved against the default governor"));
}

TEST(Report, PrintsNoFigureThatIsNone) {
  Curve curve = timed_curve("odd", {{306, 1e308}, {612, 5e-324}, {100'000, 1}});
  curve.points[0].energy_j.add(1e308);
  curve.default_governor.emplace().energy_j.add(1.7e308);
  const std::string page = report_page(report_of({curve}));
  for (const std::string_view none : {"inf\xC2\xA0", "nan", ">inf", ">-inf"}) EXPECT_FALSE(has(page, none)) << none;
}

TEST(Report, NamesFromFilesStayText) {
  const std::string hostile = "</td></style><script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"alert(3)";
  Curve curve = u_curve(hostile);
  curve.workload = curve.platform = curve.model_type = curve.power_mode = curve.energy_scope = curve.source = hostile;
  Report report = report_of({curve});
  report.files[0].name = hostile;
  report.jobs = {finished(hostile)};
  report.jobs[0].rails_counted = {hostile};
  report.jobs[0].decision.policy = hostile;
  report.trees = {{hostile, {.tree = mlg_tree(), .source = hostile, .board = hostile, .rails = {hostile}}}};
  report.status.emplace().board.model = hostile;
  report.status->rails = {{.name = hostile}};
  report.status->rails_left_out = {{hostile, hostile}};
  report.status->health = {{hostile, hostile, {}}};
  const std::string page = report_page(report);
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "\" onload"));
  EXPECT_EQ(count(page, "</style>"), 1U);
}

TEST(Report, FetchesNothingAndRunsNothing) {
  Report report = report_of({u_curve("a")});
  report.trees = {{"mlg", {.tree = mlg_tree(), .source = "the paper"}}};
  const std::string page = report_page(report);
  for (const std::string_view way : {"<script", "<link", "<iframe", "@import", " src=", "href=\"http", "url(http"})
    EXPECT_FALSE(has(page, way)) << way;
  EXPECT_TRUE(has(page, "content=\"default-src 'none'; style-src 'unsafe-inline'\""));
}

TEST(Report, DrawsTheFirstWorkloadsAndHasEveryPointOfAllInTables) {
  std::vector<Curve> curves;
  for (std::size_t each = 0; each < most_workloads_drawn + 5; ++each)
    curves.push_back(u_curve("w" + std::to_string(each)));
  const std::string page = report_page(report_of(std::move(curves)));
  EXPECT_EQ(count(page, "-energy\" viewBox"), most_workloads_drawn);
  EXPECT_TRUE(has(page, "The first 40 of 45 workloads are drawn"));
  EXPECT_EQ(count(page, "<th scope=\"row\">w44</th><td>306 MHz</td>"), 1U);
}

TEST(Report, GivesEveryElementAnIdOfItsOwn) {
  Report report = report_of({u_curve("a"), u_curve("b")});
  report.trees = {{"mlg", {.tree = mlg_tree(), .source = ""}}, {"other", {.tree = mlg_tree(), .source = ""}}};
  const std::string page = report_page(report);
  std::set<std::string> seen;
  for (std::size_t at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1)) {
    const std::string id = page.substr(at + 5, page.find('"', at + 5) - at - 5);
    EXPECT_TRUE(seen.insert(id).second) << id;
  }
  EXPECT_GT(seen.size(), 20U);
}

TEST(Report, EveryTableHasACaptionAndHeadingsWithTheirScope) {
  Report report = report_of({u_curve("a")});
  report.jobs = {finished("job")};
  const std::string page = report_page(report);
  EXPECT_EQ(count(page, "<table>\n<caption>"), count(page, "<table"));
  EXPECT_EQ(count(page, "<th "), count(page, "<th scope=\"col\"") + count(page, "<th scope=\"row\""));
  EXPECT_GE(count(page, "<table"), 6U);
}

TEST(Report, SaysWhatJobsCostAndWhatIsWrongWithThem) {
  Report report = report_of({});
  report.jobs = {finished("good"), finished("short of samples")};
  report.jobs[1].energy_valid = false;
  report.jobs[1].coverage = 0.5;
  report.jobs[1].ended_by = EndedBy::lost;
  const std::string page = report_page(report);
  EXPECT_TRUE(has(page, "<p class=\"big\">3.00\xC2\xA0kJ</p>")) << "only what is valid is summed";
  EXPECT_TRUE(has(page, "in 1 job with valid energy, on VDD_GPU_SOC + VDD_CPU_CV"));
  EXPECT_TRUE(has(page, "energy not valid: coverage too low, lost"));
  EXPECT_TRUE(has(page, ">10.0\xC2\xA0J</td>")) << "3 kJ over 300 steps";
  EXPECT_LT(page.find("short of samples<small>"), page.find(">good</th>")) << "the newest first";
}

TEST(Report, CountsJoulesOfJobsSideBySideOnce) {
  Report report = report_of({});
  report.jobs = {finished("one"), finished("two")};
  for (EnergyRecord& job : report.jobs) job.share = Joules{1500};
  EXPECT_TRUE(has(report_page(report), "<p class=\"big\">3.00\xC2\xA0kJ</p>"));
}

TEST(Report, AddsNoJoulesOfOtherRails) {
  Report report = report_of({});
  report.jobs = {finished("one"), finished("two")};
  report.jobs[1].rails_counted = {"VIN_SYS_5V0"};
  const std::string page = report_page(report);
  EXPECT_EQ(count(page, "<p class=\"big\">3.00\xC2\xA0kJ</p>"), 2U);
  EXPECT_TRUE(has(page, "in 1 job with valid energy, on VIN_SYS_5V0"));
}

TEST(Report, SaysWhyThereAreNoJobsAndNoBoard) {
  Report report = report_of({u_curve("a")});
  report.no_jobs = "There is no history yet.";
  report.no_status = "No service answered.";
  const std::string page = report_page(report);
  EXPECT_TRUE(has(page, "There is no history yet."));
  EXPECT_TRUE(has(page, "No service answered."));
}

TEST(Report, NamesTheRailsCountedAndThoseLeftOutWithTheirReason) {
  Report report = report_of({});
  report.status.emplace().settings.objective = "gpu+cpu";
  report.status->rails = {{.name = "VDD_GPU_SOC", .counted = true}, {.name = "VIN_SYS_5V0"}};
  report.status->rails_left_out = {{"VIN_SYS_5V0", "not of gpu+cpu"}, {"NC", "has no sensor"}};
  const std::string page = report_page(report);
  EXPECT_TRUE(has(page, "<th scope=\"row\">VDD_GPU_SOC</th><td>counted</td><td class=\"long\">objective gpu+cpu</td>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">VIN_SYS_5V0</th><td>left out</td><td class=\"long\">not of gpu+cpu</td>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">NC</th><td>left out</td><td class=\"long\">has no sensor</td>"));
}

TEST(Report, LabelsFiguresAsTheirFileDoes) {
  EXPECT_EQ(kind_of_source("simulated: agx-orin-64-jp6"), "simulated");
  EXPECT_EQ(kind_of_source("measured"), "measured");
  EXPECT_EQ(kind_of_source("published, table 3"), "published");
  EXPECT_EQ(kind_of_source("esainulab-slmdvfs"), "published");
  EXPECT_EQ(kind_of_source("measuredly"), "");
  EXPECT_EQ(kind_of_source("my board"), "");
  EXPECT_EQ(kind_of_source(""), "");
}

TEST(Report, ShowsTheLabelOfEachCurve) {
  Curve simulated = u_curve("s");
  simulated.source = "simulated: seed 7";
  const std::string page = report_page(report_of({simulated, u_curve("unsaid")}));
  EXPECT_TRUE(has(page, "<span class=\"label\">simulated</span> Source: simulated: seed 7"));
  EXPECT_TRUE(has(page, "<span class=\"label\">origin not said</span> Source: not said in the file"));
}

TEST(Report, LabelsAMeanWithEveryKindThatIsInIt) {
  Curve simulated = u_curve("s");
  simulated.source = "simulated: seed 7";
  Curve published = u_curve("p");
  published.source = "published";
  const std::string page = report_page(report_of({simulated, published}));
  EXPECT_TRUE(
      has(page, "<h3>agx-orin-64 <span class=\"label\">simulated</span> <span class=\"label\">published</span></h3>"));
}

TEST(TreeDrawing, HasABoxForEveryNodeAndSaysThePathsInWords) {
  const std::string svg = tree_element(mlg_tree(), "t", "mlg");
  EXPECT_EQ(count(svg, "class=\"leaf\""), 4U);
  EXPECT_EQ(count(svg, "class=\"question\""), 3U);
  EXPECT_EQ(count(svg, "class=\"branch\""), 6U);
  EXPECT_TRUE(has(svg, "layers up to 7, sequence length up to 32.5: 510 MHz.")) << svg;
  EXPECT_TRUE(has(svg, "layers above 7, sequence length above 53: 816 MHz.")) << svg;
}

TEST(TreeDrawing, IsATableInsteadWhereItHasTooManyLeaves) {
  EXPECT_NE(tree_element(chain(most_leaves_drawn), "t", "chain"), "");
  EXPECT_EQ(tree_element(chain(most_leaves_drawn + 1), "t", "chain"), "");
  Report report = report_of({});
  report.trees = {{"chain", {.tree = chain(most_leaves_drawn + 1), .source = ""}}};
  EXPECT_TRUE(has(report_page(report), "Too many leaves to draw; the table has them."));
}

}  // namespace
}  // namespace sweetspot
