// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "sweetspot/wire/characterisation_json.hpp"

namespace sweetspot {

/// A measured value at a clock in GHz.
struct FitPoint {
  double ghz;
  double value;
};

/// Least squares of the relative errors. Empty for fewer than four points, or where the points do not decide the fit.
[[nodiscard]] std::optional<EnergyFit> fit_energy(std::span<const FitPoint> points);
/// The same with a floor of 0 at least, for at least three points.
[[nodiscard]] std::optional<TimeFit> fit_time(std::span<const FitPoint> points);

[[nodiscard]] double energy_at(const EnergyFit& fit, double ghz);
/// Where the fitted energy is least between these clocks, ends included.
[[nodiscard]] double optimum_of(const EnergyFit& fit, double lowest_ghz, double highest_ghz);

}  // namespace sweetspot
