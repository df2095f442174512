// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/adaptive_policy.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot {
namespace {

/// Against the budget counts what a clock may cost at the edge of what is believed, in standard deviations.
constexpr double caution = 1.3;
/// A clock that was never measured is not tried when fewer windows than this remain to be repaid in.
constexpr double fewest_windows_left = 4;
/// A clock that stays is looked at this often in what remains of the job.
constexpr double looks_at_rest = 25;
constexpr double longest_rest = 200;  ///< steps, so that a drift is noticed
/// Work taken to remain where the job did not say, until it has shown more.
constexpr double steps_at_least_expected = 200;

double log_of_step(const MeteredProgress& from, const MeteredProgress& to) {
  return std::log((to.energy - from.energy).value / static_cast<double>(to.steps - from.steps));
}

}  // namespace

AdaptivePolicy::AdaptivePolicy(const CurvePrior& prior, std::optional<std::int64_t> total_steps,
                               const AdaptiveSettings& settings)
    : arms_(prior.arms),
      settings_(settings),
      total_steps_(total_steps),
      belief_(prior),
      start_(prior.start),
      arm_(prior.start),
      window_(static_cast<double>(settings.window_steps)) {
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) uses_.push_back({.clock = arms_.clock(arm)});
}

double AdaptivePolicy::remaining() const {
  const double done = last_ ? static_cast<double>(last_->steps) : 0;
  if (total_steps_) return std::max(0.0, static_cast<double>(*total_steps_) - done);
  return std::max(done, steps_at_least_expected);
}

bool AdaptivePolicy::observe(const MeteredProgress& reading) {
  if (last_ && (reading.steps <= last_->steps || reading.at < last_->at)) return false;
  if (last_) uses_[arm_].steps += reading.steps - last_->steps;
  last_ = reading;
  if (!opening_) {
    if (!changed_ || reading.at - *changed_ >= settings_.settle) open_window(reading);
    return false;
  }
  const auto measured = static_cast<double>(reading.steps - opening_->steps);
  if (!middle_ && measured >= window_ / 2) middle_ = reading;
  if (measured < window_ || reading.at - opening_->at < settings_.window) return false;
  close_window(reading);
  const Candidate candidate = next();
  window_ = candidate.steps;
  if (candidate.arm == arm_) {
    open_window(reading);
    return false;
  }
  arm_ = candidate.arm;
  changed_ = reading.at;
  opening_.reset();
  return true;
}

void AdaptivePolicy::open_window(const MeteredProgress& reading) {
  changed_.reset();
  opening_ = reading;
  middle_.reset();
}

void AdaptivePolicy::close_window(const MeteredProgress& reading) {
  const auto steps = static_cast<double>(reading.steps - opening_->steps);
  if ((reading.energy - opening_->energy).value <= 0) return;
  seconds_per_step_ = in_seconds(reading.at - opening_->at) / steps;
  if (middle_ && middle_->steps < reading.steps) {
    noise_.compare((middle_->energy - opening_->energy).value / static_cast<double>(middle_->steps - opening_->steps),
                   static_cast<double>(middle_->steps - opening_->steps),
                   (reading.energy - middle_->energy).value / static_cast<double>(reading.steps - middle_->steps),
                   static_cast<double>(reading.steps - middle_->steps));
  }
  const double measured = log_of_step(*opening_, reading);
  const double variance = noise_.variance(steps);
  ArmUse& use = uses_[arm_];
  const double surprise = (measured - belief_.mean(arm_)) / std::sqrt(belief_.variance(arm_) + variance);
  if (use.measured_steps > 0 && drift_.add(surprise)) {
    start_anew();
  }
  use.measured_steps += steps;
  use.log_sum += steps * measured;
  belief_.observe(arm_, measured, variance);
}

/// What went before was another job: it neither counts nor is a loss to be made up for.
void AdaptivePolicy::start_anew() {
  belief_.start_anew();
  for (ArmUse& use : uses_) use = {.clock = use.clock};
  start_ = arm_;
  steps_before_ = last_->steps;
  ++drifts_;
}

double AdaptivePolicy::feared(std::size_t arm) const {
  return belief_.mean(arm) - belief_.mean(start_) + caution * std::sqrt(belief_.variance_between(arm, start_));
}

double AdaptivePolicy::lost_so_far() const {
  double lost = 0;
  for (std::size_t arm = 0; arm < uses_.size(); ++arm)
    if (arm != start_ && uses_[arm].steps > 0) lost += static_cast<double>(uses_[arm].steps) * std::expm1(feared(arm));
  return lost;
}

bool AdaptivePolicy::within_budget(std::size_t arm, double window, double lost) const {
  if (arm == start_) return true;
  const double left = remaining();
  const double done = last_ ? static_cast<double>(last_->steps - steps_before_) : 0;
  if (left < fewest_windows_left * static_cast<double>(settings_.window_steps) && uses_[arm].measured_steps == 0)
    return false;
  const double gain = std::min(0.0, feared(belief_.best()));
  const double projected =
      lost + std::min(window, left) * std::expm1(feared(arm)) + std::max(0.0, left - window) * gain;
  return projected <= settings_.budget * (done + left);
}

void AdaptivePolicy::consider(double window, Candidate& best) const {
  const double left = remaining();
  const double lost = lost_so_far();
  const double settling = seconds_per_step_ > 0 ? in_seconds(settings_.settle) / seconds_per_step_ : 1;
  const std::vector<double> worth = belief_.worth_of_measuring(noise_.variance(window));
  const double least = belief_.mean(belief_.best());
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    const double spent = std::min(left, window + (arm == arm_ ? 0 : settling));
    const double net = (left - spent) * worth[arm] - spent * std::expm1(belief_.mean(arm) - least);
    if (net > best.net && within_budget(arm, spent, lost)) best = {arm, window, net};
  }
}

AdaptivePolicy::Candidate AdaptivePolicy::next() const {
  const double shortest =
      std::max(static_cast<double>(settings_.window_steps),
               seconds_per_step_ > 0 ? std::ceil(in_seconds(settings_.window) / seconds_per_step_) : 0);
  // Nothing is learned or gained any more; jobs also run on beyond the steps they spoke of.
  if (remaining() < shortest) return {.arm = arm_, .steps = shortest};
  Candidate best{.arm = start_, .steps = shortest, .net = -1e300};
  for (const double times : {1.0, 3.0}) consider(times * shortest, best);
  if (best.arm == belief_.best() && best.arm == arm_)
    best.steps = std::max(best.steps, std::min(longest_rest, remaining() / looks_at_rest));
  return best;
}

}  // namespace sweetspot
