// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What one policy would have cost one measured workload. Shares are of 1; empty: the curve does not have what it
/// takes.
struct EvaluatedCurve {
  std::string curve_id;
  std::string platform;
  std::string policy;
  std::optional<Hertz> frequency;        ///< empty: not pinned, or no clock to be had
  std::optional<double> regret;          ///< energy above that of the best clock measured (within max_slowdown)
  std::optional<double> saving_vs_maxn;  ///< against the default governor
  std::optional<double> saving_vs_max;   ///< against the board's highest clock, pinned
  std::optional<double> slowdown;        ///< time above that of the fastest clock measured
  std::optional<double> probe_share;     ///< energy spent on finding the clock
  bool fallback = false;                 ///< the policy asked for could not answer
  bool too_slow = false;                 ///< slower than max_slowdown allows
  std::string reason;
  std::vector<double> regrets;  ///< of every run, where the curve was replayed several times; `regret` is their mean
};

/// One policy over many curves. Figures are of the curves that have them; `curves` counts those with a regret.
struct PolicySummary {
  std::string policy;
  std::size_t curves = 0;
  std::optional<double> regret_mean;
  std::optional<double> regret_p95;  ///< the least value that 95 % of the curves, or of their runs, do not exceed
  std::optional<double> regret_worst;
  std::optional<double> saving_vs_maxn_mean;
  std::optional<double> saving_vs_max_mean;
  std::optional<double> slowdown_mean;
  std::optional<double> probe_share_mean;
  std::size_t too_slow = 0;
  std::size_t fallbacks = 0;
};

struct PlatformSummary {
  std::string platform;
  std::vector<PolicySummary> summary;
};

/// The second stage of `mlg` on one curve: what the first stage's clock costs, and what the job costs if the load says
/// so.
struct SecondStageOnCurve {
  std::string curve_id;
  std::optional<double> load_percent;  ///< measured at the first stage's clock; empty: assumed to be below the limit
  bool moves = false;                  ///< the stage changes the clock
  std::optional<Hertz> frequency_without;
  std::optional<Hertz> frequency_with;
  std::optional<double> regret_without;
  std::optional<double> regret_with;
  std::string reason;
};

/// The answer of `sweetspot evaluate`.
struct Evaluation {
  std::vector<EvaluatedCurve> curves;  ///< curve by curve, in each the policies as they were asked for
  std::vector<PolicySummary> summary;  ///< over all curves
  std::vector<PlatformSummary> platforms;
  std::vector<SecondStageOnCurve> second_stage;  ///< empty unless `mlg` is among the policies
};

[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);

}  // namespace sweetspot
