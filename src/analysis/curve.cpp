// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/curve.hpp"

#include <algorithm>

namespace sweetspot {
namespace {

constexpr double rounding_of_people = 1e-3;

const auto by_clock = [](const CurvePoint& point, Hertz clock) { return point.clock < clock; };

}  // namespace

const CurvePoint* Curve::at(Hertz clock) const {
  const auto found = std::lower_bound(points.begin(), points.end(), clock, by_clock);
  return found != points.end() && found->clock == clock ? &*found : nullptr;
}

const CurvePoint* Curve::least_energy() const {
  const auto least = std::min_element(points.begin(), points.end(),
                                      [](const CurvePoint& a, const CurvePoint& b) { return a.energy() < b.energy(); });
  return least == points.end() ? nullptr : &*least;
}

JobSpec job_of(const Curve& curve) {
  JobSpec spec;
  if (!curve.workload.empty()) spec.name = curve.workload;
  if (!curve.model_type.empty()) spec.model_type = curve.model_type;
  spec.layers = curve.layers;
  spec.hidden_size = curve.hidden_size;
  spec.mean_sequence_length = curve.mean_sequence_length;
  spec.batch_size = curve.batch_size;
  spec.total_steps = curve.total_steps;
  return spec;
}

std::optional<Curve> on_table(const Curve& curve, const FrequencyTable& table) {
  Curve moved = curve;
  for (CurvePoint& point : moved.points) {
    const Hertz entry = table.nearest(point.clock);
    const double apart = std::abs(static_cast<double>(entry.value) - static_cast<double>(point.clock.value));
    if (apart > rounding_of_people * static_cast<double>(entry.value)) return std::nullopt;
    point.clock = entry;
  }
  const auto same = [](const CurvePoint& a, const CurvePoint& b) { return a.clock == b.clock; };
  if (std::adjacent_find(moved.points.begin(), moved.points.end(), same) != moved.points.end()) return std::nullopt;
  return moved;
}

std::vector<Curve> on_known_tables(const std::vector<Curve>& curves, const PlatformTables& tables) {
  std::vector<Curve> moved;
  moved.reserve(curves.size());
  for (const Curve& curve : curves) {
    const auto table = tables.find(curve.platform);
    auto on_board = table == tables.end() ? std::nullopt : on_table(curve, table->second);
    moved.push_back(on_board ? *std::move(on_board) : curve);
  }
  return moved;
}

}  // namespace sweetspot
