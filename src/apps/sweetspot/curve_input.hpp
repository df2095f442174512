// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A file of measured curves, with the text it was read from.
struct CurveInput {
  std::string text;
  std::vector<Curve> curves;  ///< not empty
};
/// More than this no curve file may have.
constexpr std::size_t most_curve_bytes = std::size_t{1} << 30;
/// Reads a file of at most 1 GiB. Errors name the file and the place in it.
[[nodiscard]] Result<CurveInput> read_curves(const std::string& path);

/// The clocks of those curves' platforms that `sweetspot` knows ("agx-orin-64": as its JetPack 6 lists them).
[[nodiscard]] PlatformTables tables_for(std::span<const Curve> curves);

}  // namespace sweetspot
