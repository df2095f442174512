// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sweetspot/core/adaptive_policy.hpp"

namespace sweetspot {
namespace {

/// Against the budget counts what a clock may cost at the edge of what is believed, in standard deviations. One look
/// would need 1.645 of them to be right 19 times in 20; a job is looked at many times.
constexpr double caution = 1.8;
/// Of which one try may take at most this share: the first guess of a wide one is rough, and others are to follow.
constexpr double most_at_once = 0.7;
/// The start is measured again before it is given up for a gain of fewer standard deviations than this.
constexpr double sure = 2;
/// A clock that was never measured is not tried when fewer windows than this remain to be repaid in.
constexpr double fewest_windows_left = 4;
/// A clock that stays is looked at this often in what remains of the job.
constexpr double looks_at_rest = 25;
constexpr double longest_rest = 200;  ///< steps, so that a drift is noticed
/// Where there are more clocks than this, only so many of them are thought of as the next to measure, others every
/// time; and the nearest ones to the best clock always.
constexpr std::size_t most_candidates = 12;
constexpr std::size_t neighbours = 2;
constexpr double longer_window = 3;

}  // namespace

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
  const double gain = std::min(0.0, feared(look_ahead_.best()));
  const double budget = settings_.budget * (done + left);
  const double cost = std::min(window, left) * std::expm1(feared(arm));
  if (cost > most_at_once * budget) return false;
  const double projected = lost + cost + std::max(0.0, left - window) * gain;
  return projected <= budget;
}

void AdaptivePolicy::find_choices() {
  choices_.clear();
  if (times_.limited()) times_.plan(last_->at, total_steps_ ? std::optional(remaining()) : std::nullopt);
  for (std::size_t arm = 0; arm < arms_.size(); ++arm)
    if (!times_.limited() || times_.keeps(arm)) choices_.push_back(arm);
  if (choices_.empty()) choices_.push_back(times_.fastest());
  // What is lost is counted against the clock it started at, or the one nearest to it that keeps the limits.
  if (std::find(choices_.begin(), choices_.end(), start_) == choices_.end())
    start_ = *std::min_element(choices_.begin(), choices_.end(), [this](std::size_t a, std::size_t b) {
      return std::max(a, start_) - std::min(a, start_) < std::max(b, start_) - std::min(b, start_);
    });
}

bool AdaptivePolicy::worth_a_thought(std::size_t arm) const {
  const std::size_t best = look_ahead_.best();
  if (arm == start_ || arm == arm_ || arm + 2 >= arms_.size() || arm == 0) return true;
  if (std::max(arm, best) - std::min(arm, best) <= neighbours) return true;
  const std::size_t stride = arms_.size() / most_candidates + 1;
  return arm % stride == decisions_ % stride;
}

void AdaptivePolicy::consider(std::size_t arm, double window, double lost, Candidate& best) {
  const std::array<double, 2> windows{window, longer_window * window};
  const auto worth = look_ahead_.worth(belief_, arm, {noise_.variance(windows[0]), noise_.variance(windows[1])});
  const double left = remaining();
  const double settling = seconds_per_step_ > 0 ? in_seconds(settings_.settle) / seconds_per_step_ : 1;
  const double above = std::expm1(belief_.mean(arm) - belief_.mean(look_ahead_.best()));
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double spent = std::min(left, windows[i] + (arm == arm_ ? 0 : settling));
    const double net = (left - spent) * worth[i] - spent * above;
    if (net > best.net && within_budget(arm, spent, lost)) best = {arm, windows[i], net};
  }
}

/// One unlucky window at the start would make every other clock look good, and nothing would lead back to it. Once the
/// start itself was measured well enough for the gain, or as long as its rival, it is not the start that is in doubt.
bool AdaptivePolicy::start_is_doubtful() const {
  const std::size_t best = look_ahead_.best();
  if (best == start_ || uses_[best].measured_steps == 0) return false;
  const double gain = belief_.mean(start_) - belief_.mean(best);
  const double measured = uses_[start_].measured_steps;
  return gain < sure * std::sqrt(belief_.variance_between(best, start_)) &&
         gain < sure * std::sqrt(noise_.variance(std::max(1.0, measured))) && measured < uses_[best].measured_steps;
}

AdaptivePolicy::Candidate AdaptivePolicy::next() {
  const double shortest =
      std::max(static_cast<double>(settings_.window_steps),
               seconds_per_step_ > 0 ? std::ceil(in_seconds(settings_.window) / seconds_per_step_) : 0);
  // Nothing is learned or gained any more; jobs also run on beyond the steps they spoke of.
  if (remaining() < shortest) return {.arm = arm_, .steps = shortest};
  ++decisions_;
  find_choices();
  look_ahead_.look(belief_, choices_);
  Candidate best{.arm = start_, .steps = shortest, .net = -1e300};
  const double lost = lost_so_far();
  for (const std::size_t arm : choices_)
    if (worth_a_thought(arm)) consider(arm, shortest, lost, best);
  if (best.arm != start_ && start_is_doubtful()) return {.arm = start_, .steps = shortest};
  if (best.arm == look_ahead_.best() && best.arm == arm_)
    best.steps = std::max(best.steps, std::min(longest_rest, remaining() / looks_at_rest));
  return best;
}

}  // namespace sweetspot
