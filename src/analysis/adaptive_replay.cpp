// SPDX-License-Identifier: Apache-2.0
#include "analysis/adaptive_replay.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/rail_sensor.hpp"
#include "analysis/repeatable_noise.hpp"
#include "sweetspot/core/adaptive_policy.hpp"

namespace sweetspot {
namespace {

/// Where no times were measured, a step takes as long as it does when the job draws this at its best clock; an AGX Orin
/// draws about as much on GPU and CPU rails there.
constexpr double watts_where_unknown = 15;
/// How many steps a curve without times is of, when it does not say: its joules are those of a whole training.
constexpr double steps_where_unknown = 1000;
constexpr double steps_of_noise = 10;
/// A step costs something, whatever the noise says.
constexpr double least_factor = 0.05;

/// A curve per step and arm, as the policy's arms are numbered.
struct StepCosts {
  CurvePrior prior;
  std::vector<double> energy;
  std::vector<double> seconds;
  std::vector<double> shown;    ///< by the sensor on the average, as a factor of the energy
  std::vector<double> scatter;  ///< standard deviation of a step's energy as shown, as a factor
  bool timed = true;

  StepCosts(const Curve& curve, const ReplayedJob& job)
      : prior(prior_of(curve, job.start)), sensor_(curve.platform, curve.energy_scope) {
    for (const CurvePoint& point : curve.points) timed = timed && point.time();
    for (const CurvePoint& point : curve.points) add(point, curve, job.noise);
    if (curve.default_governor) add(*curve.default_governor, curve, job.noise);
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

  void add(const CurvePoint& point, const Curve& curve, double noise) {
    const auto steps = static_cast<double>(curve.total_steps.value_or(1));
    const double unknown_time = curve.least_energy()->energy() / watts_where_unknown;
    // Unpinned, a job is about as fast as at the highest clock.
    const double of_all = timed ? point.time().value_or(*curve.points.back().time()) : unknown_time;
    const double of_step = of_all / (timed || curve.total_steps ? steps : steps_where_unknown);
    const double watts = point.energy() / of_all;
    energy.push_back(point.energy() / steps);
    seconds.push_back(of_step);
    shown.push_back(sensor_.mean_of(watts) / watts);
    const double of_sensor = sensor_.deviation(of_step) / (watts * of_step);
    scatter.push_back(std::sqrt(noise * noise * steps_of_noise + of_sensor * of_sensor));
  }

  RailSensor sensor_;
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
  RepeatableNoise noise(seed);
  std::vector<std::int64_t> steps_at(costs.energy.size());
  Run run{.last = costs.prior.start};
  Joules meter;
  policy.observe({.at = Instant{}, .steps = 0, .energy = meter});
  for (std::int64_t step = 1; step <= job.steps; ++step) {
    ++steps_at[run.last];
    run.time += costs.seconds[run.last];
    const double factor = costs.shown[run.last] * (1 + costs.scatter[run.last] * noise.next());
    meter += Joules{costs.energy[run.last] * std::max(least_factor, factor)};
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
  const StepCosts costs(curve, job);
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
