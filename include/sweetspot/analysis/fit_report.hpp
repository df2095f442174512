// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/analysis/tree_fit.hpp"
#include "sweetspot/wire/fit_json.hpp"

namespace sweetspot {

/// What a fit found, for people and programs.
[[nodiscard]] FitReport fit_report(const LabelledCurves& data, const TreeFit& fit, FitObjective objective);

}  // namespace sweetspot
