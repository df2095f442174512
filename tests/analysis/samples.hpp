// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sweetspot/analysis/curve.hpp"

namespace sweetspot::tests {

/// A curve of an AGX Orin with one run per point: {MHz, joules}; seconds are 1000 / MHz.
inline Curve timed_curve(const std::string& id, const std::vector<std::pair<double, double>>& points) {
  Curve curve;
  curve.id = id;
  curve.platform = "agx-orin-64";
  for (const auto& [mhz, joules] : points) {
    CurvePoint& point = curve.points.emplace_back();
    point.clock = megahertz(mhz);
    point.energy_j.add(joules);
    point.time_s.add(1000 / mhz);
  }
  return curve;
}

}  // namespace sweetspot::tests
