// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/job.hpp"

namespace sweetspot {

std::string_view name_of(JobState state) {
  switch (state) {
    case JobState::pending:
      return "pending";
    case JobState::active:
      return "active";
    case JobState::ending:
      return "ending";
  }
  return {};
}

JobState state_of(const Job& job, const ClockStatus& clock) {
  if (job.ended_by) return JobState::ending;
  if (!job.first) return JobState::pending;
  return !job.decision.frequency || clock.applied ? JobState::active : JobState::pending;
}

void hold_clock(Job& job, Hertz clock, Instant from, Instant to) {
  if (to > from) job.time_at[clock] += to - from;
}

void restart(LoadWindow& window) {
  if (window.phase == LoadWindow::Phase::off || window.phase == LoadWindow::Phase::decided) return;
  window = LoadWindow{.phase = LoadWindow::Phase::waiting_for_pin};
}

bool is_timed(const LoadWindow& window) {
  return window.phase == LoadWindow::Phase::settling || window.phase == LoadWindow::Phase::measuring;
}

}  // namespace sweetspot
