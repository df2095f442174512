// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sweetspot/core/governor.hpp"

// What the governor makes of the clock worker's reports: time at each clock, events, health.
namespace sweetspot {
namespace {

bool may_have_written(ClockCondition condition) {
  return condition != ClockCondition::no_gpu && condition != ClockCondition::waiting;
}

}  // namespace

void Governor::observe_clock(ClockStatus status, Instant now) {
  account_clock(std::min(now, status.held_until.value_or(now)));
  clock_accounted_at_ = std::max(clock_accounted_at_, now);
  const ClockStatus before = std::exchange(clock_, std::move(status));
  if (clock_ == before) return;
  report_clock_change(before);
  judge_clock_health(now);
  adapt_to_clock();
  for (auto& [id, job] : jobs_) {
    if (!job.ended_by) advance_load_window(job, now);
  }
}

void Governor::account_clock(Instant now) {
  if (clock_.applied) {
    for (auto& [id, job] : jobs_) {
      if (!job.ended_by) hold_clock(job, *clock_.applied, clock_accounted_at_, now);
    }
  }
  clock_accounted_at_ = std::max(clock_accounted_at_, now);
}

void Governor::report_clock_change(const ClockStatus& before) {
  const bool same = before.condition == clock_.condition;
  switch (clock_.condition) {
    case ClockCondition::pinned:
      if (clock_.applied && (!same || before.applied != clock_.applied))
        events_.push_back(ClockPinned{*clock_.applied});
      return;
    case ClockCondition::lost:
    case ClockCondition::not_obeyed:
      if (!same || before.detail != clock_.detail) events_.push_back(ClockLost{clock_.goal, clock_.detail});
      return;
    case ClockCondition::capped:
      if (!same || before.applied != clock_.applied) events_.push_back(Throttled{clock_.detail});
      return;
    case ClockCondition::released:
      if (!same && may_have_written(before.condition)) events_.push_back(ClockRestored{clock_.detail});
      return;
    case ClockCondition::pending:
    case ClockCondition::waiting:
    case ClockCondition::failing:
    case ClockCondition::gave_up:
    case ClockCondition::blocked:
    case ClockCondition::no_gpu:
      return;  // these are troubles, told by health
  }
}

void Governor::judge_clock_health(Instant now) {
  const auto set = [&](HealthReason reason, bool troubled) {
    if (troubled) {
      raise(reason, clock_.detail, now);
    } else {
      clear(reason);
    }
  };
  const ClockCondition condition = clock_.condition;
  if (condition == ClockCondition::pending) return;  // on its way: what was wrong before still may be
  set(HealthReason::gpu_not_ready, condition == ClockCondition::no_gpu);
  set(HealthReason::throttled, condition == ClockCondition::capped || condition == ClockCondition::waiting);
  set(HealthReason::rival, condition == ClockCondition::lost);
  set(HealthReason::clock, condition == ClockCondition::failing || condition == ClockCondition::gave_up ||
                               condition == ClockCondition::blocked || condition == ClockCondition::not_obeyed);
}

void Governor::observe_sensor_trouble(std::optional<std::string> detail, Instant now) {
  if (detail) {
    raise(HealthReason::sensor, *std::move(detail), now);
  } else {
    clear(HealthReason::sensor);
  }
}

void Governor::raise(HealthReason reason, std::string detail, Instant now) {
  if (health_.raise(reason, detail, now)) events_.push_back(TroubleBegan{reason, std::move(detail)});
}

void Governor::clear(HealthReason reason) {
  if (health_.clear(reason)) events_.push_back(TroubleEnded{reason});
}

}  // namespace sweetspot
