// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/parts_of_text.hpp"

namespace sweetspot {
namespace {

using tests::count;
using tests::has;

Chart u_curve() {
  return {.id = "u",
          .title = "bert-base/sst2: energy",
          .description = {},
          .quantity = Quantity::energy,
          .series = {{.name = "bert-base/sst2",
                      .points = {{megahertz(306), 693'591, 5'000},
                                 {megahertz(612), 536'504, 4'000},
                                 {megahertz(1300.5), 737'041, {}}}}}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

TEST(Chart, DrawsOnePointPerMeasurementWithItsFigures) {
  const std::string svg = chart_element(u_curve());
  EXPECT_EQ(count(svg, "class=\"point "), 3U);
  EXPECT_TRUE(has(svg, "<title>612 MHz: 536.5 kJ ± 4.000 kJ</title>")) << svg;
  EXPECT_TRUE(has(svg, "<title>1300.5 MHz: 737.0 kJ</title>")) << svg;
}

TEST(Chart, DrawsAnErrorBarWithTwoEndsWhereTheSpreadIsKnown) {
  EXPECT_EQ(count(chart_element(u_curve()), "class=\"spread "), 2U * 3U);
}

TEST(Chart, SaysWhatIsToBeSeenToThoseWhoDoNotSeeIt) {
  Chart chart = u_curve();
  chart.marks = {{megahertz(714), "mlg"}};
  const std::string svg = chart_element(chart);
  EXPECT_TRUE(has(svg, "role=\"img\" aria-labelledby=\"u-title\" aria-describedby=\"u-description\"")) << svg;
  EXPECT_TRUE(has(svg, "<title id=\"u-title\">bert-base/sst2: energy</title>")) << svg;
  EXPECT_TRUE(has(svg,
                  "3 points from 306 MHz to 1300.5 MHz, least at 612 MHz: 536.5 kJ ± 4.000 kJ. Marked: mlg, 714 "
                  "MHz. </desc>"))
      << svg;
}

TEST(Chart, PutsEachQuantityInTheUnitPeopleReadItIn) {
  const auto unit_of = [](Quantity quantity, double value) {
    Chart chart{.id = "c",
                .title = "t",
                .description = {},
                .quantity = quantity,
                .series = {{.name = "", .points = {{megahertz(612), value, {}}}}}};
    const std::string svg = chart_element(chart);
    const std::size_t from = svg.find("612 MHz: ") + 9;
    return svg.substr(from, svg.find_first_of(".<", svg.find(' ', from)) - from);
  };
  EXPECT_EQ(unit_of(Quantity::energy, 41'044), "41.04 kJ");
  EXPECT_EQ(unit_of(Quantity::energy, 2'027'000), "2.027 MJ");
  EXPECT_EQ(unit_of(Quantity::energy, 0.5), "500.0 mJ");
  EXPECT_EQ(unit_of(Quantity::time, 1), "1.000 s");
  EXPECT_EQ(unit_of(Quantity::time, 0.02), "20.00 ms");
  EXPECT_EQ(unit_of(Quantity::time, 100), "100.0 s");
  EXPECT_EQ(unit_of(Quantity::time, 5'400), "90.00 min");
  EXPECT_EQ(unit_of(Quantity::time, 36'000), "10.00 h");
  EXPECT_EQ(unit_of(Quantity::power, 28.44), "28.44 W");
}

TEST(Chart, MarksOfOneClockShareALine) {
  Chart chart = u_curve();
  chart.marks = {{megahertz(612), "ffg"}, {megahertz(714), "mlg"}, {megahertz(612), "best"}};
  const std::string svg = chart_element(chart);
  EXPECT_EQ(count(svg, "class=\"mark\""), 2U);
  EXPECT_TRUE(has(svg, ">ffg, best</text>")) << svg;
}

TEST(Chart, LabelsOfNeighbouringMarksDoNotLieOnEachOther) {
  Chart chart = u_curve();
  chart.marks = {{megahertz(612), "a label of some length"}, {megahertz(620), "another such label"}};
  const std::string svg = chart_element(chart);
  const auto y_of = [&svg](std::string_view label) {
    const std::size_t line = svg.rfind("y=\"", svg.find(">" + std::string(label)));
    return svg.substr(line, svg.find('>', line) - line);
  };
  EXPECT_NE(y_of("a label of some length"), y_of("another such label")) << svg;
}

TEST(Chart, PutsTheNameOfALevelWhereNothingElseIsDrawn) {
  Chart chart = u_curve();
  chart.levels = {{740'000, "level"}};
  chart.series[0].points = {{megahertz(306), 500'000, {}}, {megahertz(1300.5), 740'000, {}}};
  EXPECT_TRUE(has(chart_element(chart), "class=\"label start\"")) << "the line ends on the right";
  chart.series[0].points = {{megahertz(306), 740'000, {}}, {megahertz(1300.5), 500'000, {}}};
  EXPECT_TRUE(has(chart_element(chart), "class=\"label end\"")) << "it begins on the left";
}

TEST(Chart, NamesCannotBringElementsOrAttributesWithThem) {
  Chart chart = u_curve();
  const std::string hostile = "\"><script>alert('1')</script>";
  chart.title = chart.series[0].name = hostile;
  chart.series.push_back(chart.series[0]);
  chart.marks = {{megahertz(612), hostile}};
  chart.levels = {{600'000, hostile}};
  chart.fits = {{.name = hostile, .points = chart.series[0].points}};
  for (const std::string& svg : {chart_element(chart), chart_file(chart)}) {
    EXPECT_FALSE(has(svg, "<script")) << svg;
    EXPECT_FALSE(has(svg, "\"><sc")) << svg;
    EXPECT_TRUE(has(svg, "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)")) << svg;
  }
}

TEST(Chart, LeavesOutWhatNoAxisCanHold) {
  Chart chart = u_curve();
  const double infinite = std::numeric_limits<double>::infinity();
  chart.series[0].points.push_back({megahertz(1400), infinite, {}});
  chart.series[0].points.push_back({megahertz(1401), std::nan(""), {}});
  chart.series[0].points.push_back({megahertz(1402), 1e308, {}});
  chart.series[0].points.push_back({megahertz(1403), 5, infinite});
  chart.levels = {{infinite, "MAXN"}};
  EXPECT_EQ(count(chart_element(chart), "class=\"point "), 3U);
  EXPECT_FALSE(has(chart_element(chart), "nan"));
  EXPECT_FALSE(has(chart_element(chart), "inf"));
}

TEST(Chart, IsDrawnOfNothingAndOfOnePointToo) {
  Chart chart{.id = "c", .title = "empty", .description = {}, .quantity = Quantity::power, .series = {}};
  EXPECT_EQ(count(chart_element(chart), "</svg>"), 1U);
  EXPECT_TRUE(has(chart_text(chart), "empty\nPower, W\n"));
  chart.series = {{.name = "one", .points = {{megahertz(612), 0, {}}}}};
  EXPECT_EQ(count(chart_element(chart), "class=\"point "), 1U);
}

TEST(Chart, ThinsManyPointsButKeepsTheLowestAndTheHighest) {
  Chart chart = u_curve();
  chart.series[0].points.clear();
  for (int each = 0; each < 100'000; ++each)
    chart.series[0].points.push_back({Hertz{300'000'000ULL + 10'000ULL * static_cast<std::uint64_t>(each)},
                                      each == 33'333   ? 1.0
                                      : each == 66'666 ? 999.0
                                                       : 500.0 + each % 7,
                                      {}});
  const std::string svg = chart_element(chart);
  EXPECT_LE(count(svg, "class=\"point "), most_points_drawn);
  EXPECT_GE(count(svg, "class=\"point "), most_points_drawn / 2);
  EXPECT_TRUE(has(svg, ": 1.000 J</title>"));
  EXPECT_TRUE(has(svg, ": 999.0 J</title>"));
}

TEST(Chart, AFileOfItsOwnCarriesItsStyleAndFetchesNothing) {
  const std::string file = chart_file(u_curve());
  EXPECT_EQ(file.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ", 0), 0U);
  EXPECT_TRUE(has(file, "prefers-color-scheme: dark"));
  EXPECT_TRUE(has(file, ">bert-base/sst2: energy</text>"));
  EXPECT_EQ(count(file, "http"), 1U) << "the name of the SVG name space, and nothing else";
  EXPECT_FALSE(has(file, "@import"));
}

TEST(Chart, LooksLikeAUInATerminal) {
  Chart chart = u_curve();
  chart.series[0].points.insert(chart.series[0].points.begin() + 1, {megahertz(408), 596'670, 4'000});
  chart.series[0].points.insert(chart.series[0].points.end() - 1, {megahertz(1020), 610'476, 4'000});
  chart.marks = {{megahertz(612), "least energy"}};
  chart.levels = {{552'289, "MAXN"}};
  const std::string text = chart_text(chart, 60);
  EXPECT_EQ(text, R"(bert-base/sst2: energy
Energy, kJ
750 |
    |                                                o
    |
700 | o
    |
    |
650 |
    |
600 |      |                            o
    |      o
    |
550 |- - - - - - - - - - - - - - - - - - - - - - - - -
    |                o
    |
500 |
    +--------------------------------------------------
          400      600      800      1000     1200  MHz
                     ^
     ^ 612 MHz: least energy
     - MAXN: 552.3 kJ
)");
}

TEST(Chart, StaysWithinTheTerminalsWidth) {
  for (const std::size_t columns : std::vector<std::size_t>{0, 40, 60, 76, 120, 1000}) {
    for (const std::string& line : lines_of(chart_text(u_curve(), columns)))
      EXPECT_LE(line.size(), std::clamp<std::size_t>(columns, 40, 200)) << line;
  }
}

TEST(Chart, KeepsTheTextOfATerminalFreeOfTrailingSpace) {
  for (const std::string& line : lines_of(chart_text(u_curve())))
    EXPECT_FALSE(!line.empty() && line.back() == ' ') << line;
}

}  // namespace
}  // namespace sweetspot
