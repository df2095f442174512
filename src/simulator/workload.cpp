// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/workload.hpp"

#include <algorithm>

namespace sweetspot {

namespace {

// nvhost_podgov raises the clock while the load is above load_max, 900 per mille.
constexpr double podgov_load_max = 0.9;

StepShape on_board(StepShape orin, double throughput) {
  return {.work_mhz_s = orin.work_mhz_s / throughput, .floor_s = orin.floor_s};
}

Demand demand_at(const Workload& work, StepShape shape, double mhz) {
  Demand demand = work.demand;
  if (!work.curve) demand.load = busy_share(shape, mhz);
  return demand;
}

double counted(const PartPower& power) {
  return power.gpu + power.traffic + power.cpu;
}

// Published mean power over modelled power at one published clock.
double measured_ratio(const Workload& work, const Stage& stage, const MeasuredPoint& point) {
  const double duration = work.total_steps * step_seconds(work.step, point.mhz);
  return point.joules / duration / counted(working_power(stage.traits, work.demand, point.mhz, stage.top_mhz));
}

double measured_ratio_at(const Workload& work, const Stage& stage, double mhz) {
  const auto& points = work.curve->points;
  if (mhz <= points.front().mhz) return measured_ratio(work, stage, points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (mhz > points[i].mhz) continue;
    const double low = measured_ratio(work, stage, points[i - 1]);
    const double high = measured_ratio(work, stage, points[i]);
    return low + (high - low) * (mhz - points[i - 1].mhz) / (points[i].mhz - points[i - 1].mhz);
  }
  return measured_ratio(work, stage, points.back());
}

// Only the two published rails follow the ratio; the others stay as modelled.
PartPower with_counted_scaled(PartPower power, double ratio) {
  power.gpu *= ratio;
  power.traffic *= ratio;
  power.cpu *= ratio;
  return power;
}

}  // namespace

Result<Workload> find_workload(std::string_view id) {
  std::string known;
  for (auto& work : workloads()) {
    if (work.id == id) return work;
    known += (known.empty() ? "" : ", ") + work.id;
  }
  return failure("unknown workload '" + std::string(id) + "'; expected one of " + known);
}

OperatingPoint pinned_point(const Workload& work, const Stage& stage, double mhz) {
  const StepShape shape = on_board(work.step, stage.traits.throughput);
  const Demand demand = demand_at(work, shape, mhz);
  OperatingPoint point{.step_seconds = step_seconds(shape, mhz),
                       .load = demand.load,
                       .power = working_power(stage.traits, demand, mhz, stage.top_mhz)};
  if (work.curve && stage.measured_here) {
    point.power = with_counted_scaled(point.power, measured_ratio_at(work, stage, mhz));
  }
  return point;
}

std::optional<OperatingPoint> unpinned_point(const Workload& work, const Stage& stage) {
  if (!work.curve || !stage.measured_here) return std::nullopt;
  OperatingPoint point = pinned_point(work, stage, work.curve->maxn_mhz);
  const double mean_power = work.curve->maxn_joules / (work.total_steps * point.step_seconds);
  point.power = with_counted_scaled(point.power, mean_power / counted(point.power));
  return point;
}

Hertz governor_wish(const Workload& work, const Stage& stage, const std::vector<Hertz>& clocks) {
  if (work.curve && stage.measured_here) {
    const auto distance = [&](Hertz f) { return std::abs(in_megahertz(f) - work.curve->maxn_mhz); };
    return *std::min_element(clocks.begin(), clocks.end(), [&](Hertz a, Hertz b) { return distance(a) < distance(b); });
  }
  const StepShape shape = on_board(work.step, stage.traits.throughput);
  for (const Hertz clock : clocks) {
    if (demand_at(work, shape, in_megahertz(clock)).load <= podgov_load_max) return clock;
  }
  return clocks.back();
}

}  // namespace sweetspot
