// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// One clock of a curve. Empty: not measured; a deviation needs two runs.
struct CharacterisedPoint {
  std::optional<Hertz> frequency;  ///< empty: the default governor
  std::size_t runs = 0;
  double energy_j = 0;
  std::optional<double> energy_deviation_j;
  std::optional<double> time_s;
  std::optional<double> time_deviation_s;
  std::optional<double> power_w;            ///< mean energy over mean time
  std::optional<double> power_deviation_w;  ///< of the runs' own powers
};

/// How far a fit lies from the points, as shares of them.
struct FitResiduals {
  double rms = 0;
  double worst = 0;
};

/// E(f) = a/f + b + c·f², with f in GHz.
struct EnergyFit {
  double a = 0;
  double b = 0;
  double c = 0;
  FitResiduals residuals;
};

/// T(f)³ = floor³ + (work/f)³, with f in GHz: a part that the clock does not speed up, and one that it does.
struct TimeFit {
  double floor_s = 0;
  double work_s_ghz = 0;
  FitResiduals residuals;
};

/// What a way of running costs above the best clock.
struct WasteOfMode {
  std::string mode;
  std::optional<Hertz> frequency;  ///< empty: the default governor's own choice
  std::optional<double> waste;     ///< share of the least energy; empty: not measured there
};

struct CharacterisedCurve {
  std::string curve_id;
  std::string platform;
  std::string workload;
  std::string energy_scope;
  std::vector<CharacterisedPoint> points;
  std::string shape;          ///< "u", "falls", "rises", "flat", or "unknown": fewer than five clocks
  std::optional<Hertz> best;  ///< of the clocks measured
  std::optional<EnergyFit> energy_fit;
  std::optional<TimeFit> time_fit;
  std::optional<Hertz> optimum;  ///< of the fit; with the bounds of its 90 % interval
  std::optional<Hertz> optimum_low;
  std::optional<Hertz> optimum_high;
  std::optional<double> slowdown_at_best;  ///< time above that of the fastest clock measured
  std::vector<WasteOfMode> wastes;
};

/// {"curves": […]}: the answer of `sweetspot characterise`.
[[nodiscard]] std::string characterisation_json(const std::vector<CharacterisedCurve>& curves);

}  // namespace sweetspot
