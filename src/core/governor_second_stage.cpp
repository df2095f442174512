// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sweetspot/core/governor.hpp"

// The governor's second stage: a load window per job, which starts a while after the pin and is thrown away whenever
// something makes its load another one's (a second job, a lost clock).
namespace sweetspot {
namespace {

/// Less of the window than this measured, and its mean says nothing.
constexpr double least_measured_share = 0.5;

std::string stage_note(const Job& job, bool board_has_load) {
  switch (job.load_window.phase) {
    case LoadWindow::Phase::off: return {};
    case LoadWindow::Phase::waiting_for_pin:
    case LoadWindow::Phase::settling:
    case LoadWindow::Phase::measuring:
      return board_has_load ? "" : "; second stage off: this board shows no GPU load";
    case LoadWindow::Phase::decided:
      return job.load_window.mean_percent ? "" : "; second stage off: the GPU load could not be measured";
  }
  return {};
}

}  // namespace

void Governor::redecide(Job& job) {
  Decision decision = decide(job.spec, job.policy, clocks());
  if (job.load_window.mean_percent)
    decision = after_second_stage(decision, *job.load_window.mean_percent, job.policy.second_stage, clocks());
  if (clocks()) decision.reason += stage_note(job, board_.has_gpu_load);
  if (decision == job.decision) return;
  job.decision = std::move(decision);
  events_.push_back(JobRedecided{job.id, job.decision});
}

void Governor::advance_load_window(Job& job, Instant now) {
  using Phase = LoadWindow::Phase;
  LoadWindow& window = job.load_window;
  if (window.phase == Phase::off || window.phase == Phase::decided || !board_.has_gpu_load) return;
  const bool held = clock_.condition == ClockCondition::pinned && clock_.applied == job.decision.frequency;
  if (!held || running_jobs() != 1) {
    window = LoadWindow{};
    window.phase = Phase::waiting_for_pin;
    return;
  }
  if (window.phase == Phase::waiting_for_pin) {
    window.phase = Phase::settling;
    window.boundary = now + job.policy.second_stage.settle;
  }
  if (!meter_ || meter_->reading().at < window.boundary) return;
  const MeterReading& reading = meter_->reading();
  if (window.phase == Phase::settling) {
    window.phase = Phase::measuring;
    window.begin = reading;
    window.boundary = reading.at + job.policy.second_stage.window;
    return;
  }
  const Duration measured = reading.gpu_load.covered - window.begin->gpu_load.covered;
  if (in_seconds(measured) >= least_measured_share * in_seconds(reading.at - window.begin->at) && measured.count() > 0)
    window.mean_percent = (reading.gpu_load.integral - window.begin->gpu_load.integral) / in_seconds(measured);
  window.phase = Phase::decided;
  redecide(job);
}

}  // namespace sweetspot
