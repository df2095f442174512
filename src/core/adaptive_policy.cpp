// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/adaptive_policy.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot {
namespace {

/// How far steps scatter is learned from so many parts of every window.
constexpr double parts_of_a_window = 5;
/// Work taken to remain where the job did not say, until it has shown more.
constexpr double steps_at_least_expected = 200;

}  // namespace

AdaptivePolicy::AdaptivePolicy(const CurvePrior& prior, std::optional<std::int64_t> total_steps,
                               const AdaptiveSettings& settings)
    : arms_(prior.arms),
      settings_(settings),
      total_steps_(total_steps),
      belief_(prior),
      times_(prior, settings.aim, total_steps ? std::optional(static_cast<double>(*total_steps)) : std::nullopt),
      start_(prior.start),
      arm_(prior.start),
      window_(static_cast<double>(settings.window_steps)) {
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) uses_.push_back({.clock = arms_.clock(arm)});
}

double AdaptivePolicy::log_of_step(const MeteredProgress& from, const MeteredProgress& to) const {
  const auto steps = static_cast<double>(to.steps - from.steps);
  const double energy = std::log((to.energy - from.energy).value / steps);
  if (settings_.aim.least == Least::energy) return energy;
  return energy + std::log(in_seconds(to.at - from.at) / steps);
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
  take_part(reading);
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
  part_ = reading;
  noise_.open_window();
}

void AdaptivePolicy::take_part(const MeteredProgress& reading) {
  const auto steps = static_cast<double>(reading.steps - part_->steps);
  if (steps < window_ / parts_of_a_window) return;
  noise_.add((reading.energy - part_->energy).value / steps, steps);
  part_ = reading;
}

void AdaptivePolicy::close_window(const MeteredProgress& reading) {
  const auto steps = static_cast<double>(reading.steps - opening_->steps);
  if ((reading.energy - opening_->energy).value <= 0) return;
  seconds_per_step_ = in_seconds(reading.at - opening_->at) / steps;
  const double measured = log_of_step(*opening_, reading);
  const double variance = noise_.variance(steps);
  ArmUse& use = uses_[arm_];
  const double surprise = (measured - belief_.mean(arm_)) / std::sqrt(belief_.variance(arm_) + variance);
  if (use.measured_steps > 0 && drift_.add(surprise)) {
    start_anew();
  }
  if (times_.limited()) times_.observe(arm_, seconds_per_step_, steps);
  use.measured_steps += steps;
  use.log_sum += steps * measured;
  belief_.observe(arm_, measured, variance);
}

/// What went before was another job: it neither counts nor is a loss to be made up for.
void AdaptivePolicy::start_anew() {
  belief_.start_anew();
  times_.start_anew();
  for (ArmUse& use : uses_) use = {.clock = use.clock};
  start_ = arm_;
  steps_before_ = last_->steps;
  ++drifts_;
}

}  // namespace sweetspot
