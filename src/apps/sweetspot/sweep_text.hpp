// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sweetspot/analysis/chart.hpp"
#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/wire/sweep_json.hpp"

namespace sweetspot {

/// How far a sweep is.
struct SweepProgress {
  std::size_t done = 0;
  std::size_t runs = 0;
  std::optional<double> left_s;  ///< empty: not known yet
  std::string what;              ///< "612 MHz, repeat 2: settling"
};
/// "[=========>          ] 5/12  612 MHz: settling, about 24 min 3 s left", not wider than `columns` (0: any).
[[nodiscard]] std::string progress_line(const SweepProgress& progress, std::size_t columns);

/// The plan of --dry-run, with what is complete and how long the rest takes.
[[nodiscard]] std::string plan_text(const SweepReport& report, double pauses_s, Hertz top);

/// What each clock cost as a table, the least marked; the baseline below.
[[nodiscard]] std::string curve_table(const Curve& curve);
/// Energy against the clock, the least marked, the baseline across.
[[nodiscard]] Chart energy_chart(const Curve& curve);

/// How much is missing after a sweep, why runs that were tried do not count, and what to do.
[[nodiscard]] std::string missing_text(const SweepReport& report);

}  // namespace sweetspot
