// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/step_times.hpp"

#include <cmath>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

/// How sure it has to be that a limit is kept, in standard deviations.
constexpr double confidence = 1.64;
/// Measured times scatter, so a clock may miss its limit by this much and still be said to keep it.
constexpr double tolerance = 0.002;

}  // namespace

StepTimes::StepTimes(const CurvePrior& prior, const JobAim& aim, std::optional<double> steps_left)
    : aim_(aim), arms_(prior.arms), steps_left_(steps_left) {
  if (limited()) times_.emplace(prior.arms, std::span(&prior.times, 1));
}

void StepTimes::observe(std::size_t arm, double seconds_per_step, double steps) {
  if (!(seconds_per_step > 0)) return;
  measured_ = true;
  times_->observe(arm, std::log(seconds_per_step), noise_.variance(steps));
}

void StepTimes::start_anew() {
  if (times_) times_->start_anew();
  measured_ = false;
}

void StepTimes::plan(Instant now, std::optional<double> steps_left) {
  steps_left_ = steps_left;
  if (aim_.finish_by) seconds_left_ = in_seconds(*aim_.finish_by - now);
}

bool StepTimes::keeps(std::size_t arm) const {
  if (!measured_) return true;
  if (aim_.max_slowdown) {
    const std::size_t top = arms_.clocks.size() - 1;
    const double slower =
        times_->mean(arm) - times_->mean(top) + confidence * std::sqrt(times_->variance_between(arm, top));
    if (slower > std::log(*aim_.max_slowdown) + tolerance) return false;
  }
  if (!seconds_left_ || !steps_left_ || *steps_left_ <= 0) return true;
  if (*seconds_left_ <= 0) return false;
  const double longest = times_->mean(arm) + confidence * std::sqrt(times_->variance(arm));
  return longest <= std::log(*seconds_left_ / *steps_left_) + tolerance;
}

std::optional<std::string> StepTimes::shortfall() const {
  if (!aim_.finish_by) return std::nullopt;
  if (!steps_left_) return "finish_within_s needs total_steps and is not considered";
  if (!measured_ || !seconds_left_ || *steps_left_ <= 0) return std::nullopt;
  const double needed = *steps_left_ * std::exp(times_->mean(fastest()));
  if (needed <= *seconds_left_ * (1 + tolerance)) return std::nullopt;
  const auto clock = arms_.clock(fastest());
  return "cannot finish in the " + fixed_text(std::max(0.0, *seconds_left_), 0) + " s that are left: the best is " +
         fixed_text(needed, 0) + " s, " + (clock ? "at " + to_text(*clock) : std::string("not pinned"));
}

}  // namespace sweetspot
