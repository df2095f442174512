// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/characterisation.hpp"

#include <gtest/gtest.h>

#include "analysis/samples.hpp"

namespace sweetspot {
namespace {

using tests::timed_curve;

constexpr double clocks[] = {306, 408, 510, 612, 714, 816, 918, 1020, 1122, 1224, 1300.5};

/// a/f + b + c·f², every other point off by this share to either side.
Curve valley(double a, double b, double c, double off = 0) {
  std::vector<std::pair<double, double>> points;
  for (const double mhz : clocks) {
    const double ghz = mhz / 1000;
    const double side = points.size() % 2 == 0 ? 1 + off : 1 - off;
    points.emplace_back(mhz, (a / ghz + b + c * ghz * ghz) * side);
  }
  return timed_curve("valley", points);
}

TEST(Characterisation, FindsTheFormItWasGiven) {
  const CharacterisedCurve made = characterise(valley(1.3e5, 2e5, 2.4e5), {});
  ASSERT_TRUE(made.energy_fit);
  EXPECT_NEAR(made.energy_fit->a, 1.3e5, 1);
  EXPECT_NEAR(made.energy_fit->b, 2e5, 1);
  EXPECT_NEAR(made.energy_fit->c, 2.4e5, 1);
  EXPECT_LT(made.energy_fit->residuals.worst, 1e-9);
  EXPECT_EQ(made.shape, "u");
  EXPECT_NEAR(in_megahertz(*made.optimum), 1000 * std::cbrt(1.3 / 4.8), 0.01);
  EXPECT_NEAR(in_megahertz(*made.optimum_high), in_megahertz(*made.optimum_low), 0.01);
}

TEST(Characterisation, IsLessCertainOfANoisyOptimum) {
  const CharacterisedCurve made = characterise(valley(1.3e5, 2e5, 2.4e5, 0.02), {});
  EXPECT_NEAR(made.energy_fit->residuals.worst, 0.02, 0.005);
  EXPECT_LT(in_megahertz(*made.optimum_low) + 5, in_megahertz(*made.optimum_high));
  EXPECT_LE(*made.optimum_low, megahertz(1000 * std::cbrt(1.3 / 4.8)));
  EXPECT_GE(*made.optimum_high, megahertz(1000 * std::cbrt(1.3 / 4.8)));
}

TEST(Characterisation, TellsAValleyFromASlopeAndAPlain) {
  EXPECT_EQ(characterise(valley(1, 0.1, 0.001), {}).shape, "falls");
  EXPECT_EQ(characterise(valley(0.001, 0.1, 1), {}).shape, "rises");
  const CharacterisedCurve flat = characterise(valley(0, 100, 0, 0.02), {});
  EXPECT_EQ(flat.shape, "flat");
  EXPECT_EQ(flat.optimum, std::nullopt);
  EXPECT_EQ(characterise(timed_curve("few", {{306, 3}, {408, 2}, {510, 1}, {612, 2}}), {}).shape, "unknown");
}

TEST(Characterisation, FindsTheFloorOfTheTime) {
  Curve curve = timed_curve("floor", {});
  for (const double mhz : clocks) {
    CurvePoint& point = curve.points.emplace_back();
    point.clock = megahertz(mhz);
    point.energy_j.add(1);
    point.time_s.add(std::cbrt(8 + std::pow(1.5 / (mhz / 1000), 3)));
  }
  const CharacterisedCurve made = characterise(curve, {});
  ASSERT_TRUE(made.time_fit);
  EXPECT_NEAR(made.time_fit->floor_s, 2, 1e-6);
  EXPECT_NEAR(made.time_fit->work_s_ghz, 1.5, 1e-6);
}

TEST(Characterisation, HasTheSpreadOfRepeatsAndThePower) {
  Curve curve = timed_curve("repeats", {{500, 10}});
  curve.points[0].energy_j.add(12);
  const CharacterisedPoint point = characterise(curve, {}).points.at(0);
  EXPECT_EQ(point.runs, 2U);
  EXPECT_NEAR(*point.energy_deviation_j, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(*point.power_w, 5.5, 1e-12);  // 11 J in 2 s
}

TEST(Characterisation, SaysWhatEachModeWastes) {
  Curve curve = timed_curve("u", {{306, 130}, {510, 105}, {612, 100}, {714, 104}, {1020, 150}});
  curve.default_governor.emplace().energy_j.add(125);
  const std::vector<CappedMode> modes{{"MODE_30W", megahertz(612)}, {"MODE_50W", megahertz(816)}};
  const CharacterisedCurve made = characterise(curve, modes);
  ASSERT_EQ(made.wastes.size(), 4U);
  EXPECT_NEAR(*made.wastes[0].waste, 0.25, 1e-12);
  EXPECT_NEAR(*made.wastes[1].waste, 0.5, 1e-12);
  EXPECT_NEAR(*made.wastes[2].waste, 0, 1e-12);
  EXPECT_EQ(made.wastes[3].waste, std::nullopt);  // not measured there
  EXPECT_NEAR(*made.slowdown_at_best, 1020.0 / 612 - 1, 1e-12);
}

}  // namespace
}  // namespace sweetspot
