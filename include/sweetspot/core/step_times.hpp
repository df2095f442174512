// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sweetspot/core/curve_belief.hpp"
#include "sweetspot/core/curve_prior.hpp"
#include "sweetspot/core/job_aim.hpp"
#include "sweetspot/core/step_noise.hpp"

namespace sweetspot {

/// How long a step takes at every arm, as measured and as physics has it between, against the limits of a job's aim.
class StepTimes {
 public:
  /// `steps_left`: empty where the total of steps is not known.
  StepTimes(const CurvePrior& prior, const JobAim& aim, std::optional<double> steps_left = {});

  /// Whether there is a limit to keep; without one nothing else here may be called, but start_anew() and shortfall().
  [[nodiscard]] bool limited() const { return aim_.max_slowdown || aim_.finish_by; }

  void observe(std::size_t arm, double seconds_per_step, double steps);
  void start_anew();

  /// Sets what is left to do. Empty: the total of steps is not known.
  void plan(Instant now, std::optional<double> steps_left);
  /// Whether an arm keeps the limits, with some confidence.
  [[nodiscard]] bool keeps(std::size_t arm) const;
  /// The arm that is thought to be fastest: the best there is when no arm keeps the limits.
  [[nodiscard]] std::size_t fastest() const { return times_->best(); }
  /// What of the limits cannot be kept, and the best that can; empty when all can, as far as is known.
  [[nodiscard]] std::optional<std::string> shortfall() const;

 private:
  JobAim aim_;
  Arms arms_;
  std::optional<CurveBelief> times_;  ///< only where there is a limit
  StepNoise noise_;
  bool measured_ = false;
  std::optional<double> seconds_left_;
  std::optional<double> steps_left_;
};

}  // namespace sweetspot
