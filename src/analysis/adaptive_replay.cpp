// SPDX-License-Identifier: Apache-2.0
#include "analysis/adaptive_replay.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "sweetspot/core/adaptive_policy.hpp"

namespace sweetspot {
namespace {

constexpr double seconds_where_unknown = 1;
constexpr double steps_of_noise = 10;
/// A step costs something, whatever the noise says.
constexpr double least_factor = 0.05;

/// A curve per step and arm, as the policy's arms are numbered.
struct StepCosts {
  CurvePrior prior;
  std::vector<double> energy;
  std::vector<double> time;
  bool timed = true;

  StepCosts(const Curve& curve, Hertz start) : prior(prior_of(curve, start)) {
    const auto steps = static_cast<double>(curve.total_steps.value_or(1));
    const auto add = [this, steps](const CurvePoint& point) {
      energy.push_back(point.energy() / steps);
      timed = timed && point.time();
      time.push_back(point.time() ? *point.time() / steps : seconds_where_unknown);
    };
    for (const CurvePoint& point : curve.points) add(point);
    if (curve.default_governor) add(*curve.default_governor);
  }
  [[nodiscard]] std::size_t arm_of(const std::optional<Hertz>& clock) const {
    const auto& clocks = prior.arms.clocks;
    if (!clock) return clocks.size();
    return static_cast<std::size_t>(std::lower_bound(clocks.begin(), clocks.end(), *clock) - clocks.begin());
  }

 private:
  static CurvePrior prior_of(const Curve& curve, Hertz start) {
    std::vector<Hertz> clocks;
    for (const CurvePoint& point : curve.points) clocks.push_back(point.clock);
    return CurvePrior::on(FrequencyTable::from(std::move(clocks)).value(), start, curve.default_governor.has_value());
  }
};

/// What one run came to.
struct Run {
  double energy = 0;
  double time = 0;
  double probes = 0;  ///< energy above that of the last clock, at clocks that were tried
  std::size_t last = 0;
  std::string reason;
};

Run run_once(const StepCosts& costs, const ReplayedJob& job, std::uint32_t seed) {
  AdaptivePolicy policy(costs.prior, job.steps);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> scatter(1, job.noise * std::sqrt(steps_of_noise));
  std::vector<std::int64_t> steps_at(costs.energy.size());
  Run run{.last = costs.prior.start};
  Joules meter;
  policy.observe({.at = Instant{}, .steps = 0, .energy = meter});
  for (std::int64_t step = 1; step <= job.steps; ++step) {
    ++steps_at[run.last];
    run.time += costs.time[run.last];
    meter += Joules{costs.energy[run.last] * std::max(least_factor, job.noise > 0 ? scatter(random) : 1)};
    if (policy.observe({.at = Instant{seconds(run.time)}, .steps = step, .energy = meter}))
      run.last = costs.arm_of(policy.goal());
  }
  for (std::size_t arm = 0; arm < steps_at.size(); ++arm) {
    const auto steps = static_cast<double>(steps_at[arm]);
    run.energy += steps * costs.energy[arm];
    if (arm != costs.prior.start) run.probes += steps * std::max(0.0, costs.energy[arm] - costs.energy[run.last]);
  }
  if (seed == 0) run.reason = policy.reason();
  return run;
}

}  // namespace

AdaptiveReplay replay_adaptive(const Curve& curve, const ReplayedJob& job) {
  const StepCosts costs(curve, job.start);
  const auto steps = static_cast<double>(job.steps);
  AdaptiveReplay replay;
  std::vector<std::uint32_t> ended_at(costs.energy.size());
  for (std::uint32_t seed = 0; seed < job.seeds; ++seed) {
    Run run = run_once(costs, job, seed);
    replay.energy.push_back(run.energy / steps);
    if (costs.timed) replay.time += run.time / steps / job.seeds;
    replay.probe_share += run.probes / run.energy / job.seeds;
    ++ended_at[run.last];
    if (seed == 0) replay.reason = std::move(run.reason);
  }
  const auto most = std::max_element(ended_at.begin(), ended_at.end());
  replay.clock = costs.prior.arms.clock(static_cast<std::size_t>(most - ended_at.begin()));
  return replay;
}

}  // namespace sweetspot
