// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "sweetspot/core/governor.hpp"

// The governor's second stage: a load window per job, which starts a while after the pin and is thrown away whenever
// something makes its load another one's (a second job, a lost clock).
namespace sweetspot {
namespace {

/// Less of the window than this measured, and its mean says nothing.
constexpr double least_measured_share = 0.5;

/// Empty: too little of the window was measured. Rounded to a millionth of a per cent, so that a load of exactly the
/// limit is not moved across it by the sum's rounding.
std::optional<double> mean_load(const MeterReading& from, const MeterReading& to) {
  const Duration measured = to.gpu_load.covered - from.gpu_load.covered;
  const Duration length = to.at - from.at;
  if (measured.count() <= 0 || in_seconds(measured) < least_measured_share * in_seconds(length)) return std::nullopt;
  const double mean = (to.gpu_load.integral - from.gpu_load.integral) / in_seconds(measured);
  return std::round(mean * 1e6) / 1e6;
}

}  // namespace

Decision Governor::decision_for(const JobSpec& spec, const PolicySettings& policy, const LoadWindow& window) const {
  Decision decision = decide(spec, policy, clocks());
  if (is_adaptive(decision)) {
    start_where_learned(spec, decision);
    decision.reason += "; stays there until the job reports steps";
  }
  if (!has_second_stage(decision, policy)) return decision;
  if (window.mean_percent) return after_second_stage(decision, *window.mean_percent, policy.second_stage, clocks());
  if (window.phase == LoadWindow::Phase::decided) {
    decision.reason += "; second stage off: the GPU load could not be measured";
  } else if (clocks() && !board_.has_gpu_load) {
    decision.reason += "; second stage off: this board shows no GPU load";
  }
  return decision;
}

void Governor::redecide(Job& job) {
  if (adapting_ && adapting_->job == job.id) return;  // adapt_to_board() goes on from where it is
  if (is_adaptive(job.decision) && job.id < taken_over_below_) return stay_on_board(job);
  Decision decision = decision_for(job.spec, job.policy, job.load_window);
  if (decision == job.decision) return;
  job.decision = std::move(decision);
  events_.push_back(JobRedecided{job.id, job.decision});
}

void Governor::advance_load_window(Job& job, Instant now) {
  using Phase = LoadWindow::Phase;
  LoadWindow& window = job.load_window;
  const bool held = clock_.condition == ClockCondition::pinned && clock_.applied == job.decision.frequency;
  if (!held || running_jobs() != 1 || !board_.has_gpu_load) return restart(window);
  if (window.phase == Phase::waiting_for_pin) {
    window.phase = Phase::settling;
    window.boundary = now + job.policy.second_stage.settle;
  }
  if (!is_timed(window)) return;
  window.sample_due = now >= window.boundary;
  if (!meter_ || meter_->reading().at < window.boundary) return;
  const MeterReading& reading = meter_->reading();
  window.sample_due = false;
  if (window.phase == Phase::settling) {
    window.phase = Phase::measuring;
    window.begin = reading;
    window.boundary = reading.at + job.policy.second_stage.window;
    return;
  }
  window.mean_percent = mean_load(*window.begin, reading);
  window.phase = Phase::decided;
  redecide(job);
}

}  // namespace sweetspot
