// SPDX-License-Identifier: Apache-2.0
#include "analysis/rail_sensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sweetspot {
namespace {

TEST(RailSensor, LiesBesideThePowerAsReadingsOfOneRailDo) {
  const RailSensor sensor("agx-orin-64", "VDD_GPU_SOC");
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.1);
  for (const double watts : {12.0, 12.1, 12.2, 12.33}) {
    double sum = 0;
    for (int i = 0; i < 200'000; ++i) sum += 0.4 * std::round((watts + noise(random)) / 0.4);
    EXPECT_NEAR(sensor.mean_of(watts), sum / 200'000, 0.002) << watts;
  }
}

TEST(RailSensor, IsFinerOnBoardsWithFinerSteps) {
  const auto worst = [](const char* platform) {
    const RailSensor sensor(platform, "one");
    double most = 0;
    for (double watts = 8; watts < 9; watts += 0.003) most = std::max(most, std::abs(sensor.mean_of(watts) - watts));
    return most;
  };
  EXPECT_GT(worst("agx-orin-64"), 2 * worst("agx-xavier"));
  EXPECT_GT(worst("agx-xavier"), 2 * worst("orin-nano"));
}

TEST(RailSensor, KnowsLongStretchesBetter) {
  const RailSensor sensor("agx-orin-64", "VDD_GPU_SOC+VDD_CPU_CV");
  EXPECT_NEAR(sensor.deviation(100) / 100, sensor.deviation(1) / 10, 1e-9);
  EXPECT_NEAR(sensor.deviation(1), 0.4 * std::sqrt(2 * (0.0625 + 1.0 / 12) / 10), 1e-9);
}

TEST(RailSensor, ScattersMoreWithMoreRails) {
  EXPECT_GT(RailSensor("agx-orin-64", "a+b").deviation(1), RailSensor("agx-orin-64", "a").deviation(1));
}

}  // namespace
}  // namespace sweetspot
