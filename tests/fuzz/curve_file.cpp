// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/curve_file.hpp"

#include <cmath>
#include <set>

#include "tests/fuzz/properties.hpp"

// A file of measured curves.
namespace sweetspot::fuzz {
namespace {

void check_positive(const Repeats& repeats, const char* promise) {
  if (repeats.count() == 0) return;
  require(std::isfinite(repeats.mean()) && repeats.mean() > 0, promise);
}

void check_point(const CurvePoint& point) {
  require(point.energy_j.count() > 0, "a point has an energy");
  check_positive(point.energy_j, "an energy is finite and above 0");
  check_positive(point.time_s, "a time is finite and above 0");
  require(point.time_s.count() <= point.energy_j.count() && point.load_percent.count() <= point.energy_j.count(),
          "no more times and loads than runs");
}

void check_curve(const Curve& curve) {
  require(!curve.id.empty(), "a curve has a name");
  require(!curve.points.empty() || curve.default_governor, "a curve has a point");
  Hertz below{0};
  for (const CurvePoint& point : curve.points) {
    require(point.clock > below, "points ascend by clock, one for each");
    below = point.clock;
    check_point(point);
    require(curve.at(point.clock) == &point, "a point is found at its clock");
  }
  if (curve.default_governor) check_point(*curve.default_governor);
  for (const auto& count : {curve.layers, curve.hidden_size, curve.batch_size, curve.total_steps})
    require(!count || *count > 0, "what is counted is above 0");
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const auto curves = parse_curves(as_text(bytes, size));
  if (!curves) {
    require_good_error(curves.error());
    require(curves.error().message.rfind("line ", 0) == 0, "an error names its line");
    return 0;
  }
  std::set<std::string> ids;
  for (const Curve& curve : *curves) {
    check_curve(curve);
    require(ids.insert(curve.id).second, "a name is one curve's");
  }
  return 0;
}
