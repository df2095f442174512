// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/policy.hpp"
#include "sweetspot/wire/evaluation_json.hpp"

namespace sweetspot {

/// One column of an evaluation: how the clock of each curve is chosen.
struct Contender {
  enum class Choice {
    policy,    ///< by the daemon's own decide()
    oracle,    ///< the best clock that was measured: what no policy can beat
    highest,   ///< the board's highest clock, pinned
    adaptive,  ///< measures joules per step while the job runs; starts where the policy would
  };
  std::string name;  ///< as people asked for it
  Choice choice = Choice::policy;
  Policy policy = Policy::none;
  std::optional<Hertz> clock;  ///< of policy `fixed`
  PolicySettings settings;     ///< of a policy; its second stage is looked at apart
};

struct EvaluationSettings {
  std::vector<Contender> contenders;
  /// The clocks of the platforms that are known. A curve of another platform, or with other clocks, is its own table.
  PlatformTables tables;
  /// How long a job is, in steps; empty: as the curve says, else 1,000. Matters where something happens at a time: the
  /// second stage decides 40 s after the pin, on a job that still runs then.
  std::optional<std::int64_t> steps;
  double noise = 0;                    ///< of what is measured: relative standard deviation of the joules of ten steps
  std::uint32_t seeds = 1;             ///< how often a contender that measures is replayed
  std::optional<double> max_slowdown;  ///< factor of the fastest time measured; bounds the oracle, marks the others
};

/// Replays measured curves: each curve's job is decided by the core's decide() on the curve's board and charged what
/// was measured at that clock. Nothing is interpolated: a clock without a measurement has no figures.
[[nodiscard]] Evaluation evaluate(std::span<const Curve> curves, const EvaluationSettings& settings);

}  // namespace sweetspot
