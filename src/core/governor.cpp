// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/governor.hpp"

#include <algorithm>
#include <utility>

namespace sweetspot {
namespace {

Instant earlier(std::optional<Instant> a, Instant b) {
  return a ? std::min(*a, b) : b;
}

bool runs(const Job& job) {
  return !job.ended_by;
}

}  // namespace

tl::expected<JobId, Governor::StartRefusal> Governor::start(StartRequest request) {
  if (auto problem = problem_in(request.spec)) return tl::make_unexpected(StartRefusal{*std::move(problem)});
  const RailsWanted rails = rails_wanted_by(request.spec, settings_.rails);
  if (request.spec.rails && !board_.rails.empty()) {
    if (const auto choice = choose_rails(board_.rails, rails); !choice)
      return tl::make_unexpected(StartRefusal{SpecProblem{"rails", choice.error().message}});
  }
  if (auto too_many = over_quota(request.owner.uid)) return tl::make_unexpected(StartRefusal{*std::move(too_many)});

  account_clock(request.now);
  Job job;
  job.id = next_id_++;
  job.policy = settings_.policy;
  job.rails_wanted = rails;
  job.owner = std::move(request.owner);
  job.started = request.now;
  job.wall_time = request.wall_time;
  if (request.spec.lease_s) job.lease_ends = request.now + seconds(*request.spec.lease_s);
  job.spec = std::move(request.spec);
  job.decision = explain(job.spec);
  if (has_second_stage(job.decision, job.policy)) job.load_window.phase = LoadWindow::Phase::waiting_for_pin;
  meet_companions(job);
  events_.push_back(JobStarted{job.id, job.spec.name, job.decision, job.owner});
  const JobId id = job.id;
  jobs_.emplace(id, std::move(job));
  adapt_to_company();
  return id;
}

std::optional<Governor::TooManyJobs> Governor::over_quota(std::uint32_t uid) const {
  if (jobs_.size() >= settings_.jobs_in_all) return TooManyJobs{settings_.jobs_in_all, "the daemon"};
  const auto owned =
      std::count_if(jobs_.begin(), jobs_.end(), [uid](const auto& entry) { return entry.second.owner.uid == uid; });
  if (static_cast<std::size_t>(owned) < settings_.jobs_per_uid) return std::nullopt;
  return TooManyJobs{settings_.jobs_per_uid, "uid " + std::to_string(uid)};
}

void Governor::meet_companions(Job& newcomer) {
  for (auto& [id, job] : jobs_) {
    if (!runs(job)) continue;
    ++job.companions;
    ++newcomer.companions;
    restart(job.load_window);  // what it measures from now on is not its own load
  }
}

std::optional<Governor::Refusal> Governor::refusal_for(JobId id, std::uint32_t uid) const {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || !runs(found->second)) return Refusal::no_such_job;
  if (uid != 0 && uid != found->second.owner.uid) return Refusal::not_your_job;
  return std::nullopt;
}

std::optional<Governor::Refusal> Governor::progress(JobId id, std::int64_t steps, std::uint32_t uid, Instant now) {
  if (const auto refusal = refusal_for(id, uid)) return refusal;
  Job& job = jobs_.at(id);
  if (steps >= job.steps.value_or(0)) {
    job.steps = steps;
    if (is_adaptive(job.decision)) adapt_to_report(job, steps, now);
  }
  if (job.spec.lease_s) job.lease_ends = now + seconds(*job.spec.lease_s);
  return std::nullopt;
}

std::optional<Governor::Refusal> Governor::end(JobId id, std::uint32_t uid, Instant now) {
  if (const auto refusal = refusal_for(id, uid)) return refusal;
  begin_ending(jobs_.at(id), EndedBy::client, now);
  return std::nullopt;
}

void Governor::lose(JobId id, EndedBy why, Instant now) {
  const auto found = jobs_.find(id);
  if (found != jobs_.end() && runs(found->second)) begin_ending(found->second, why, now);
}

void Governor::interrupt(Instant now) {
  for (auto& [id, job] : jobs_) {
    if (!job.ended_by) begin_ending(job, EndedBy::interrupted, now);
  }
}

void Governor::interrupt_all(Instant now) {
  for (auto& [id, job] : jobs_) {
    if (runs(job)) begin_ending(job, EndedBy::interrupted, now);
  }
  while (!jobs_.empty()) finish(jobs_.begin()->first, now);
}

void Governor::begin_ending(Job& job, EndedBy why, Instant now) {
  account_clock(now);
  job.ended_by = why;
  job.ended = now;
  if (adapting_ && adapting_->job == job.id) adapting_->run.interrupt();
  adapt_to_company();
  const bool can_be_sampled = !board_.rails.empty() || board_.has_gpu_load;
  job.last_sample_deadline = can_be_sampled ? now + settings_.last_sample_wait : now;
}

void Governor::finish(JobId id, Instant now) {
  const auto job = jobs_.extract(id);
  events_.push_back(JobEnded{record_so_far(job.mapped(), now), job.mapped().spec});
  if (adapting_ && adapting_->job == id) {
    learn_from(job.mapped());
    adapting_.reset();
  }
}

void Governor::finish_those_done(Instant now) {
  std::vector<JobId> done;
  for (const auto& [id, job] : jobs_) {
    if (runs(job)) continue;
    const bool sampled = meter_ && meter_->reading().at >= job.ended;
    if (sampled || now >= job.last_sample_deadline) done.push_back(id);
  }
  for (const JobId id : done) finish(id, now);
}

EnergyRecord Governor::record_so_far(const Job& job, Instant now) const {
  Job up_to_now = job;
  if (runs(job) && clock_.applied) hold_clock(up_to_now, *clock_.applied, clock_accounted_at_, now);
  EnergyRecord record = record_of(up_to_now, {.meter = meter_ ? &*meter_ : nullptr,
                                              .rails = board_.rails,
                                              .minimum_coverage = settings_.minimum_coverage,
                                              .until = runs(job) ? now : job.ended});
  record.board = board_.board;
  record.power_mode = board_.power_mode;
  record.ended_by = job.ended_by.value_or(EndedBy::client);
  return record;
}

void Governor::observe_board(BoardFacts facts, Instant now) {
  if (facts.rails != board_.rails) start_new_meter(now);
  board_ = std::move(facts);
  for (auto& [id, job] : jobs_) {
    if (!runs(job)) continue;
    redecide(job);
    advance_load_window(job, now);
  }
  adapt_to_board();
}

void Governor::start_new_meter(Instant now) {
  for (auto next = jobs_.begin(); next != jobs_.end();) {
    const auto job = next++;
    if (!runs(job->second)) finish(job->first, now);  // its last sample will not come any more
  }
  for (auto& [id, job] : jobs_) {
    job.first.reset();
    restart(job.load_window);
  }
  if (adapting_) adapting_->run.interrupt();
  meter_.reset();
  shared_up_to_.reset();
}

void Governor::observe_meter(const EnergyMeter& meter, Instant now) {
  if (meter.reading().rails.size() != board_.rails.size()) return;  // not of the board we know; the next one will be
  if (meter_ && meter.reading().samples < meter_->reading().samples) start_new_meter(now);
  meter_ = meter;
  attribute_shares();
  give_first_readings();
  adapt_to_meter();
  for (auto& [id, job] : jobs_) {
    if (runs(job)) advance_load_window(job, now);
  }
  finish_those_done(now);
}

void Governor::attribute_shares() {
  const MeterReading& reading = meter_->reading();
  const auto metered = std::count_if(jobs_.begin(), jobs_.end(), [](const auto& entry) { return entry.second.first; });
  if (metered > 0 && shared_up_to_) {
    for (auto& [id, job] : jobs_) {
      if (!job.first) continue;
      for (std::size_t i = 0; i < job.shares.size(); ++i)
        job.shares[i] += (reading.rails[i].integral - shared_up_to_->rails[i].integral) / static_cast<double>(metered);
    }
  }
  shared_up_to_ = reading;
}

void Governor::give_first_readings() {
  const MeterReading& reading = meter_->reading();
  for (auto& [id, job] : jobs_) {
    if (job.first || reading.samples == 0 || reading.at < job.started) continue;
    job.first = reading;
    job.shares.assign(reading.rails.size(), 0.0);
  }
}

void Governor::tick(Instant now) {
  for (auto& [id, job] : jobs_) {
    if (!runs(job)) continue;
    if (job.lease_ends && now >= *job.lease_ends) {
      begin_ending(job, EndedBy::expired, now);
    } else {
      advance_load_window(job, now);
    }
  }
  finish_those_done(now);
}

std::optional<Instant> Governor::next_deadline() const {
  std::optional<Instant> next;
  for (const auto& [id, job] : jobs_) {
    if (!runs(job)) {
      next = earlier(next, job.last_sample_deadline);
      continue;
    }
    if (job.lease_ends) next = earlier(next, *job.lease_ends);
    if (is_timed(job.load_window) && !job.load_window.sample_due) next = earlier(next, job.load_window.boundary);
  }
  return next;
}

std::optional<Hertz> Governor::goal() const {
  std::vector<ClockWish> wishes;
  for (const auto& [id, job] : jobs_) {
    if (runs(job)) wishes.push_back({id, job.decision.frequency});
  }
  return arbitrate(wishes, settings_.arbitration);
}

bool Governor::wants_sample_at(Instant now) const {
  if (adapting_ && adapting_->run.wants_reading()) return true;
  return std::any_of(jobs_.begin(), jobs_.end(), [now](const auto& entry) {
    const Job& job = entry.second;
    if (!job.first || !runs(job)) return true;
    return is_timed(job.load_window) && now >= job.load_window.boundary;
  });
}

Decision Governor::explain(const JobSpec& spec) const {
  return decision_for(spec, settings_.policy, LoadWindow{});
}

std::size_t Governor::running_jobs() const {
  return static_cast<std::size_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& entry) { return runs(entry.second); }));
}

std::vector<Event> Governor::take_events() {
  return std::exchange(events_, {});
}

}  // namespace sweetspot
