// SPDX-License-Identifier: Apache-2.0
#include <systemd/sd-daemon.h>

#include <algorithm>

#include "service/daemon.hpp"
#include "service/log.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/wire/replies.hpp"

// After every event: bring the clock, the sampler, the waiting callers and the timers in line with the governor.
namespace sweetspot {
namespace {

constexpr Duration stuck_check_period = seconds(1);
constexpr Duration slowest_sample = seconds(2);

void keep_earliest(std::optional<Instant>& earliest, std::optional<Instant> other) {
  if (other && (!earliest || *other < *earliest)) earliest = other;
}

}  // namespace

void Daemon::reconcile() {
  order_clock();
  order_samples();
  tell_events();
  answer_held();
  if (hand_over_) finish_hand_over();
  if (stop_deadline_) finish_stop();
  follow_uevents();
  arm_timers();
  show_status_line();
}

void Daemon::order_clock() {
  const std::optional<Hertz> goal = gpu_rests_ ? std::nullopt : governor_.goal();
  if (goal == ordered_goal_) return;
  ordered_goal_ = goal;
  clock_worker_->want(goal);
  observe_pending_clock();
}

void Daemon::observe_pending_clock() {
  ClockStatus pending = governor_.clock();
  pending.condition = ClockCondition::pending;
  pending.goal = ordered_goal_;
  pending.detail = ordered_goal_ ? "pinning to " + to_text(*ordered_goal_) : "giving the clock back";
  governor_.observe_clock(std::move(pending), EventLoop::now());
}

void Daemon::order_samples() {
  if (!governor_.needs_samples()) gpu_rests_ = false;
  sampler_->want({.run = governor_.needs_samples() || watch_feed_->size() > 0,
                  .sample_now = governor_.wants_sample_at(EventLoop::now())});
}

void Daemon::tell_events() {
  for (const Event& event : governor_.take_events()) tell(event);
  profiles_.keep(governor_.take_lessons());
}

void Daemon::tell(const Event& event) {
  const JournalEntry entry = journal_entry_for(event);
  send_to_journal(entry);
  log_entry(entry);
  watch_feed_->tell(event);
  if (const auto* started = std::get_if<JobStarted>(&event)) ledger_->started(*started);
  const auto* ended = std::get_if<JobEnded>(&event);
  if (!ended) return;
  const JobId job = ended->record.job_id;
  ledger_->ended(job);
  history_->keep(*ended);
  holders_.forget(job);
  for (const HeldStart& held : held_starts_) {
    if (held.job == job) server_->reply(held.connection, error_reply(NoSuchJob{job}));
  }
  std::erase_if(held_starts_, [job](const HeldStart& held) { return held.job == job; });
  const auto [first, last] = held_ends_.equal_range(job);
  std::vector<ConnectionId> askers;
  for (auto held = first; held != last; ++held) askers.push_back(held->second);
  held_ends_.erase(job);
  for (const ConnectionId asker : askers) server_->reply(asker, end_job_reply(ended->record));
}

void Daemon::answer_held() {
  const Instant now = EventLoop::now();
  std::vector<HeldStart> starts = std::exchange(held_starts_, {});
  for (const HeldStart& held : starts) {
    const auto job = governor_.jobs().find(held.job);
    if (job == governor_.jobs().end()) continue;
    const bool ready = job->second.first && clock_settled();
    if (!ready && now < held.deadline) {
      held_starts_.push_back(held);
      continue;
    }
    const ClockStatus& clock = governor_.clock();
    server_->reply(held.connection, start_job_reply({.job_id = held.job,
                                                     .decision = job->second.decision,
                                                     .applied = clock_settled() ? clock.applied : std::nullopt,
                                                     .state = std::string(name_of(state_of(job->second, clock)))}));
  }
  std::vector<HeldExplain> explains = std::exchange(held_explains_, {});
  for (HeldExplain& held : explains) {
    if (looks_done_ < held.look && now < held.deadline) {
      held_explains_.push_back(std::move(held));
      continue;
    }
    server_->reply(held.connection, explain_reply(governor_.explain(held.spec)));
  }
  std::vector<HeldStatus> statuses = std::exchange(held_statuses_, {});
  for (const HeldStatus& held : statuses) {
    if (!has_looked() && now < held.deadline) {
      held_statuses_.push_back(held);
      continue;
    }
    server_->reply(held.connection, status_text());
  }
}

void Daemon::arm_timers() {
  const Instant now = EventLoop::now();
  std::optional<Instant> next;
  // A deadline of the governor that has passed waits for a sample, whose news will wake us.
  if (const auto deadline = governor_.next_deadline(); deadline && *deadline > now) next = deadline;
  for (const HeldStart& held : held_starts_) keep_earliest(next, held.deadline);
  for (const HeldExplain& held : held_explains_) keep_earliest(next, held.deadline);
  for (const HeldStatus& held : held_statuses_) keep_earliest(next, held.deadline);
  const bool looking = looks_done_ < clock_worker_->looks();
  if (!governor_.needs_samples() && clock_settled() && !ordered_goal_ && !looking) {
    next_stuck_check_.reset();
  } else if (!next_stuck_check_) {
    next_stuck_check_ = now + std::min(stuck_check_period, config_.clock.blocked_after);
  }
  keep_earliest(next, next_stuck_check_);
  keep_earliest(next, stop_deadline_);
  if (hand_over_) keep_earliest(next, hand_over_->deadline);
  if (!governor_.needs_samples() || config_.sampling.log_period.count() == 0) {
    next_rail_log_.reset();
    rails_logged_up_to_.reset();
  } else if (!next_rail_log_) {
    next_rail_log_ = now + config_.sampling.log_period;
    rails_logged_up_to_ = sampler_->news().meter.reading();
  }
  keep_earliest(next, next_rail_log_);
  if (next) {
    deadline_.arm(*next);
  } else {
    deadline_.disarm();
  }
}

void Daemon::on_deadline() {
  const Instant now = EventLoop::now();
  watch_for_blocked_threads();
  governor_.tick(now);
  if (next_rail_log_ && now >= *next_rail_log_) log_rails();
  reconcile();
}

void Daemon::watch_for_blocked_threads() {
  const Instant now = EventLoop::now();
  if (next_stuck_check_ && now >= *next_stuck_check_) next_stuck_check_.reset();
  const auto busy = clock_worker_->busy_since();
  const bool said_blocked = governor_.clock().condition == ClockCondition::blocked;
  if (busy && now - *busy >= config_.clock.blocked_after && !said_blocked) {
    ClockStatus blocked = governor_.clock();
    blocked.condition = ClockCondition::blocked;
    blocked.detail = "a read or write of the GPU clock has not come back for " +
                     fixed_text(in_seconds(now - *busy), 0) + " s; the board or its driver hangs";
    governor_.observe_clock(std::move(blocked), now);
  } else if (!busy && said_blocked && last_report_) {
    governor_.observe_clock(*last_report_, now);
  }
  const Sampler::News news = sampler_->news();
  if (news.sampling_since && now - *news.sampling_since >= slowest_sample) {
    governor_.observe_sensor_trouble("a rail read has not come back for more than " +
                                         fixed_text(in_seconds(slowest_sample), 0) + " s; the sensor's bus hangs",
                                     now);
  } else {
    governor_.observe_sensor_trouble(news.trouble, now);
  }
}

void Daemon::log_rails() {
  const Sampler::News news = sampler_->news();
  const MeterReading& reading = news.meter.reading();
  if (rails_logged_up_to_ && rails_logged_up_to_->rails.size() == reading.rails.size()) {
    std::vector<RailMean> means;
    for (std::size_t i = 0; i < news.rails.size(); ++i) {
      const Duration covered = reading.rails[i].covered - rails_logged_up_to_->rails[i].covered;
      const double energy = reading.rails[i].integral - rails_logged_up_to_->rails[i].integral;
      means.push_back({news.rails[i], std::nullopt});
      if (covered.count() > 0) means.back().milliwatts = energy / in_seconds(covered) * 1000;
    }
    send_to_journal(journal_entry_for_rails(means));
  }
  rails_logged_up_to_ = reading;
  next_rail_log_ = *next_rail_log_ + config_.sampling.log_period;
  if (*next_rail_log_ <= EventLoop::now()) next_rail_log_ = EventLoop::now() + config_.sampling.log_period;
}

void Daemon::show_status_line() {
  const std::size_t jobs = governor_.jobs().size();
  const ClockStatus& clock = governor_.clock();
  std::string line = jobs == 0 ? "idle" : std::to_string(jobs) + (jobs == 1 ? " job" : " jobs");
  line += ", clock " + std::string(name_of(clock.condition));
  if (clock.applied) line += " at " + to_text(*clock.applied);
  for (const auto& [reason, trouble] : governor_.health().troubles())
    line += "; " + std::string(name_of(reason)) + ": " + trouble.detail;
  if (line == status_line_) return;
  status_line_ = line;
  (void)sd_notify(0, ("STATUS=" + line).c_str());
}

}  // namespace sweetspot
