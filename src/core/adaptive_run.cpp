// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/adaptive_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

/// Reports that follow faster are passed over: windows are seconds long, and every reading costs a look at the rails.
constexpr Duration shortest_between_readings = std::chrono::milliseconds(100);
/// The power at a reading says what was drawn since a report for so long: the longest time that a sample may take.
constexpr Duration longest_back = std::chrono::milliseconds(250);
/// A cap that is there for good is asked about ever more seldom.
constexpr Duration first_cap_wait = seconds(60);
constexpr Duration longest_cap_wait = seconds(960);

AdaptivePolicy policy_for(const AdaptiveRun::Start& start) {
  CurvePrior prior = CurvePrior::on(start.clocks, start.clock.value_or(start.clocks.highest()), true);
  if (!start.clock) prior.start = prior.arms.size() - 1;
  return AdaptivePolicy(prior, start.total_steps, start.settings);
}

FrequencyTable up_to(Hertz highest, const FrequencyTable& table) {
  std::vector<Hertz> clocks;
  for (const Hertz clock : table.clocks()) {
    if (clock <= highest) clocks.push_back(clock);
  }
  if (clocks.empty()) clocks.push_back(table.lowest());
  return *FrequencyTable::from(std::move(clocks));
}

}  // namespace

AdaptiveRun::AdaptiveRun(Start start)
    : start_(std::move(start)), policy_(policy_for(start_)), cap_wait_(first_cap_wait) {}

void AdaptiveRun::report(std::int64_t steps, Instant at) {
  if (taken_ && at - *taken_ < shortest_between_readings) return;
  waiting_ = Report{steps, at};
}

bool AdaptiveRun::has_gap_since_last(const CountedEnergy& now) const {
  return !last_ || now.rails != last_->rails || now.covered - last_->covered != now.rails * (now.at - last_->at);
}

double AdaptiveRun::steps_measured() const {
  double steps = policy().drifts();  // starting anew is news, too
  for (const ArmUse& use : policy().uses()) steps += use.measured_steps;
  return steps;
}

AdaptiveRun::News AdaptiveRun::take(const CountedEnergy& now) {
  const bool gap = has_gap_since_last(now);
  last_ = now;
  if (gap) policy().interrupt();
  if (!waiting_ || now.at < waiting_->at) return News::none;
  const Report report = *std::exchange(waiting_, std::nullopt);
  if (now.at - report.at > longest_back) return News::none;
  taken_ = report.at;
  const double before = steps_measured();
  const Joules energy = now.energy - now.power * (now.at - report.at);
  if (policy().observe({.at = report.at, .steps = report.steps, .energy = energy})) return News::moved;
  return steps_measured() != before ? News::measured : News::none;
}

void AdaptiveRun::interrupt() {
  policy().interrupt();
  waiting_.reset();
  last_.reset();
}

bool AdaptiveRun::hold_below(Hertz highest, Instant now) {
  const std::optional<Hertz> before = goal();
  if (!before || *before <= highest) return false;
  interrupt();
  Start start = start_;
  start.clocks = up_to(highest, start_.clocks);
  start.clock = start.clocks.highest();
  if (!below_ || below_->highest != *start.clock) below_.emplace(Below{*start.clock, policy_for(start)});
  held_ = true;
  look_again_ = now + cap_wait_;
  cap_wait_ = std::min(2 * cap_wait_, longest_cap_wait);
  return goal() != before;
}

bool AdaptiveRun::look_above(Instant now) {
  if (!held_ || now < look_again_) return false;
  const std::optional<Hertz> before = goal();
  interrupt();
  held_ = false;
  return goal() != before;
}

std::string AdaptiveRun::reason() const {
  std::string text = start_.note.empty() ? "" : start_.note + "; ";
  if (held_) text += "heat caps the GPU, so only clocks up to " + to_text(below_->highest) + " for now; ";
  return text + policy().reason();
}

std::vector<MeasuredClock> AdaptiveRun::measured() const {
  std::vector<MeasuredClock> clocks;
  const std::vector<ArmUse>& uses = policy().uses();
  for (std::size_t arm = 0; arm < uses.size(); ++arm) {
    const ArmUse& use = uses[arm];
    if (use.measured_steps <= 0) continue;
    clocks.push_back({.clock = use.clock,
                      .per_step = {std::exp(use.log_sum / use.measured_steps)},
                      .uncertainty = std::sqrt(policy().belief().variance(arm)),
                      .steps = use.measured_steps});
  }
  return clocks;
}

}  // namespace sweetspot
