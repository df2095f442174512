// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/physics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweetspot {

namespace {

struct VoltagePoint {
  double mhz;
  double v2;
};
constexpr double orin_top_mhz = 1300.5;
constexpr std::array<VoltagePoint, 11> orin_v2{{{306, 1},
                                                {408, 1},
                                                {510, 1.015},
                                                {612, 1.085},
                                                {714, 1.18},
                                                {816, 1.265},
                                                {918, 1.38},
                                                {1020, 1.535},
                                                {1122, 1.655},
                                                {1224, 1.86},
                                                {orin_top_mhz, 1.99}}};
constexpr double most_busy = 0.98;

}  // namespace

double step_seconds(StepShape shape, double mhz) {
  const double scaling = shape.work_mhz_s / mhz;
  return std::cbrt(std::pow(shape.floor_s, 3) + std::pow(scaling, 3));
}

double busy_share(StepShape shape, double mhz) {
  const double total = step_seconds(shape, mhz);
  return total > 0 ? std::min(most_busy, shape.work_mhz_s / mhz / total) : 0;
}

double relative_v2(double mhz, double top_mhz) {
  const double f = mhz / top_mhz * orin_top_mhz;
  if (f <= orin_v2.front().mhz) return orin_v2.front().v2;
  for (std::size_t i = 1; i < orin_v2.size(); ++i) {
    const auto& [low, low_v2] = orin_v2[i - 1];
    const auto& [high, high_v2] = orin_v2[i];
    if (f <= high) return low_v2 + (high_v2 - low_v2) * (f - low) / (high - low);
  }
  return orin_v2.back().v2;
}

PartPower PartPower::scaled(double factor) const {
  return {gpu * factor, traffic * factor, cpu * factor, system * factor, dram * factor};
}

PartPower operator+(PartPower a, PartPower b) {
  return {a.gpu + b.gpu, a.traffic + b.traffic, a.cpu + b.cpu, a.system + b.system, a.dram + b.dram};
}

PartPower working_power(const PowerTraits& board, Demand demand, double mhz, double top_mhz) {
  return {.gpu = board.gpu_base + board.gpu_per_mhz * mhz * relative_v2(mhz, top_mhz) * demand.load,
          .traffic = board.traffic * demand.memory,
          .cpu = demand.cpu_w,
          .system = board.system_working + board.system_memory * demand.memory,
          .dram = board.dram_idle + board.dram_memory * demand.memory};
}

PartPower idle_power(const PowerTraits& board, bool gpu_powered) {
  return {.gpu = gpu_powered ? board.gpu_idle : board.gpu_gated,
          .traffic = 0,
          .cpu = board.cpu_idle,
          .system = board.system_idle,
          .dram = board.dram_idle};
}

}  // namespace sweetspot
