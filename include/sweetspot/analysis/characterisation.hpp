// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/wire/characterisation_json.hpp"

namespace sweetspot {

/// A power mode with the clock it caps the GPU at.
struct CappedMode {
  std::string name;
  Hertz cap;
};

/// What a curve says of its workload: its points with their spread, fits of energy and time with their residuals, the
/// optimum with its uncertainty, the shape, and what the default governor, the highest clock and each mode waste (a job
/// that keeps the GPU busy runs at the mode's cap). The curve is on its board's table.
///
/// Fits weigh every point by its own size, so that residuals are shares. The optimum's interval comes from 400 curves
/// with the fit's residuals dealt out anew, always the same ones: no chance is involved.
[[nodiscard]] CharacterisedCurve characterise(const Curve& curve, std::span<const CappedMode> modes);

}  // namespace sweetspot
