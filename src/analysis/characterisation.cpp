// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/characterisation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/curve_fit.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t fewest_for_a_shape = 5;
constexpr int dealt_anew = 400;

/// Numbers that look like chance and are the same every time (splitmix64; S. Vigna).
class Deal {
 public:
  std::size_t below(std::size_t limit) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((mixed ^ (mixed >> 31)) % limit);
  }

 private:
  std::uint64_t state_ = 1;
};

CharacterisedPoint described(const CurvePoint& point) {
  CharacterisedPoint row{.runs = point.energy_j.count(),
                         .energy_j = point.energy(),
                         .energy_deviation_j = point.energy_j.deviation(),
                         .time_s = point.time(),
                         .time_deviation_s = point.time_s.deviation()};
  if (row.time_s) row.power_w = row.energy_j / *row.time_s;
  row.power_deviation_w = point.power_w.deviation();
  if (point.clock.value > 0) row.frequency = point.clock;
  return row;
}

double in_ghz(Hertz clock) {
  return in_megahertz(clock) / 1000;
}

Hertz from_ghz(double ghz) {
  return megahertz(ghz * 1000);
}

/// Lower and upper end of the middle 90 % of the optima of curves that could have been measured just as well.
std::pair<double, double> optimum_interval(const EnergyFit& fit, const std::vector<FitPoint>& points) {
  std::vector<double> shares;
  shares.reserve(points.size());
  const double spread = std::sqrt(static_cast<double>(points.size()) / (static_cast<double>(points.size()) - 3));
  for (const FitPoint& point : points) shares.push_back(spread * (point.value / energy_at(fit, point.ghz) - 1));
  std::vector<double> optima;
  Deal deal;
  for (int i = 0; i < dealt_anew; ++i) {
    std::vector<FitPoint> other = points;
    for (FitPoint& point : other)
      point.value = energy_at(fit, point.ghz) * std::max(0.01, 1 + shares[deal.below(shares.size())]);
    const auto again = fit_energy(other);
    if (again) optima.push_back(optimum_of(*again, points.front().ghz, points.back().ghz));
  }
  std::sort(optima.begin(), optima.end());
  const auto at = [&optima](double share) {
    return optima[static_cast<std::size_t>(share * static_cast<double>(optima.size() - 1))];
  };
  return {at(0.05), at(0.95)};
}

/// A valley counts when both ends lie above its bottom by more than twice the residuals.
std::string shape_of(const EnergyFit& fit, const std::vector<FitPoint>& points) {
  const double bottom = energy_at(fit, optimum_of(fit, points.front().ghz, points.back().ghz));
  const double noise = 2 * fit.residuals.rms;
  const bool high_left = energy_at(fit, points.front().ghz) / bottom - 1 > noise;
  const bool high_right = energy_at(fit, points.back().ghz) / bottom - 1 > noise;
  if (high_left && high_right) return "u";
  if (high_left) return "falls";
  return high_right ? "rises" : "flat";
}

void characterise_energy(const Curve& curve, CharacterisedCurve& made) {
  std::vector<FitPoint> points;
  for (const CurvePoint& point : curve.points) points.push_back({in_ghz(point.clock), point.energy()});
  made.energy_fit = fit_energy(points);
  if (!made.energy_fit || points.size() < fewest_for_a_shape) return;
  made.shape = shape_of(*made.energy_fit, points);
  if (made.shape == "flat") return;  // any clock would do, and noise alone picks one
  made.optimum = from_ghz(optimum_of(*made.energy_fit, points.front().ghz, points.back().ghz));
  const auto [low, high] = optimum_interval(*made.energy_fit, points);
  made.optimum_low = from_ghz(low);
  made.optimum_high = from_ghz(high);
}

void characterise_time(const Curve& curve, CharacterisedCurve& made) {
  std::vector<FitPoint> points;
  for (const CurvePoint& point : curve.points) {
    if (point.time()) points.push_back({in_ghz(point.clock), *point.time()});
  }
  made.time_fit = fit_time(points);
  const CurvePoint* best = curve.least_energy();
  if (points.empty() || !best || !best->time()) return;
  const auto fastest = std::min_element(points.begin(), points.end(),
                                        [](const FitPoint& a, const FitPoint& b) { return a.value < b.value; });
  made.slowdown_at_best = *best->time() / fastest->value - 1;
}

std::vector<WasteOfMode> wastes_of(const Curve& curve, std::span<const CappedMode> modes) {
  std::vector<WasteOfMode> wastes;
  const CurvePoint* best = curve.least_energy();
  if (!best) return wastes;
  const auto note = [&](const std::string& mode, std::optional<Hertz> clock, const CurvePoint* point) {
    WasteOfMode waste{.mode = mode, .frequency = clock};
    if (point) waste.waste = point->energy() / best->energy() - 1;
    wastes.push_back(std::move(waste));
  };
  note("MAXN", std::nullopt, curve.default_governor ? &*curve.default_governor : nullptr);
  note("highest clock", curve.points.back().clock, &curve.points.back());
  for (const CappedMode& mode : modes) note(mode.name, mode.cap, curve.at(mode.cap));
  return wastes;
}

}  // namespace

CharacterisedCurve characterise(const Curve& curve, std::span<const CappedMode> modes) {
  CharacterisedCurve made{.curve_id = curve.id,
                          .platform = curve.platform,
                          .workload = curve.workload,
                          .energy_scope = curve.energy_scope,
                          .shape = "unknown"};
  if (curve.default_governor) made.points.push_back(described(*curve.default_governor));
  for (const CurvePoint& point : curve.points) made.points.push_back(described(point));
  if (const CurvePoint* best = curve.least_energy()) made.best = best->clock;
  characterise_energy(curve, made);
  characterise_time(curve, made);
  made.wastes = wastes_of(curve, modes);
  return made;
}

}  // namespace sweetspot
