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
/// Nothing that a GPU trains does so many steps in a second: what a report tells beyond that was not done since the
/// last.
constexpr double most_steps_per_second = 10'000;

AdaptivePolicy policy_for(const AdaptiveRun::Start& start, bool with_unpinned = true) {
  CurvePrior prior = CurvePrior::on(start.clocks, start.clock.value_or(start.clocks.highest()), with_unpinned,
                                    start.settings.aim.least);
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

std::int64_t AdaptiveRun::steps_done(const Report& report) {
  const auto told = static_cast<double>(report.steps - told_.value_or(report).steps);
  const double most = most_steps_per_second * (in_seconds(report.at - told_.value_or(report).at) + 1);
  if (std::abs(told) > most) {
    skipped_ += report.steps - told_->steps;
    policy().interrupt();
    tallied_up_to_.reset();
  }
  told_ = report;
  return report.steps - skipped_;
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
  if (gap) {
    policy().interrupt();
    tallied_up_to_.reset();
  }
  if (!waiting_ || now.at < waiting_->at) return News::none;
  const Report report = *std::exchange(waiting_, std::nullopt);
  if (now.at - report.at > longest_back) return News::none;
  taken_ = report.at;
  const double before = steps_measured();
  const int drifts = policy().drifts();
  const Joules energy = now.energy - now.power * (now.at - report.at);
  const MeteredProgress progress{.at = report.at, .steps = steps_done(report), .energy = energy};
  tally(progress);
  const bool moved = policy().observe(progress);
  if (policy().drifts() != drifts) tallies_.clear();
  if (!moved) return steps_measured() != before ? News::measured : News::none;
  moved_ = progress.at;
  tallied_up_to_.reset();
  return News::moved;
}

void AdaptiveRun::tally(const MeteredProgress& progress) {
  // A report without a new step adds time and energy to the step that is under way; nothing may begin in its middle.
  if (progress.steps <= steps_seen_) return;
  steps_seen_ = progress.steps;
  if (tallied_up_to_) {
    Tally& tally = tallies_[goal()];
    tally.joules += (progress.energy - tallied_up_to_->energy).value;
    tally.seconds += in_seconds(progress.at - tallied_up_to_->at);
    tally.steps += static_cast<double>(progress.steps - tallied_up_to_->steps);
  }
  if (!moved_ || progress.at - *moved_ >= start_.settings.settle) tallied_up_to_ = progress;
}

void AdaptiveRun::interrupt() {
  policy().interrupt();
  tallied_up_to_.reset();
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
  if (!below_ || below_->highest != *start.clock) below_.emplace(Below{*start.clock, policy_for(start, false)});
  held_ = true;
  moved_ = now;
  look_again_ = now + cap_wait_;
  cap_wait_ = std::min(2 * cap_wait_, longest_cap_wait);
  return goal() != before;
}

bool AdaptiveRun::look_above(Instant now) {
  if (!held_ || now < look_again_) return false;
  const std::optional<Hertz> before = goal();
  interrupt();
  held_ = false;
  moved_ = now;
  return goal() != before;
}

std::string AdaptiveRun::reason() const {
  std::string text = start_.note.empty() ? "" : start_.note + "; ";
  if (held_) text += "heat caps the GPU, so only clocks up to " + to_text(below_->highest) + " for now; ";
  return text + policy().reason();
}

std::optional<MeasuredClock> AdaptiveRun::found() const {
  const JobAim& aim = start_.settings.aim;
  const bool limited = aim.max_slowdown || aim.finish_by;
  std::optional<MeasuredClock> found;
  double least = 0;
  for (MeasuredClock& one : measured()) {
    const auto& uses = policy().uses();
    const auto arm =
        std::find_if(uses.begin(), uses.end(), [&one](const ArmUse& use) { return use.clock == one.clock; });
    const double cost = limited ? -one.steps : policy().belief().mean(static_cast<std::size_t>(arm - uses.begin()));
    if (found && cost >= least) continue;
    least = cost;
    found = one;
  }
  return found;
}

std::vector<MeasuredClock> AdaptiveRun::measured() const {
  std::vector<MeasuredClock> clocks;
  const std::vector<ArmUse>& uses = policy().uses();
  for (std::size_t arm = 0; arm < uses.size(); ++arm) {
    const auto tallied = tallies_.find(uses[arm].clock);
    if (uses[arm].measured_steps <= 0 || tallied == tallies_.end() || tallied->second.steps <= 0) continue;
    const Tally& tally = tallied->second;
    clocks.push_back({.clock = uses[arm].clock,
                      .joules_per_step = tally.joules / tally.steps,
                      .seconds_per_step = tally.seconds / tally.steps,
                      .uncertainty = std::sqrt(policy().belief().variance(arm)),
                      .steps = tally.steps});
  }
  return clocks;
}

}  // namespace sweetspot
