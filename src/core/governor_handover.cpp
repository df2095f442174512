// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "sweetspot/core/governor.hpp"

// A governor as a value, and a governor from one: how jobs outlive the process that started them.
namespace sweetspot {
namespace {

/// A stretch of the time from the boot until then; a second more for what was rounded on the way.
bool fits(Duration time, Instant until) {
  return time.count() >= 0 && time <= until.time_since_epoch() + seconds(1);
}

/// A reading that a meter with so many rails can have given, no later than `until`.
bool reads(const MeterReading& reading, std::size_t rails, Instant until) {
  const auto reads = [&reading](const MeterReading::Channel& channel) {
    return std::isfinite(channel.integral) && fits(channel.covered, reading.at);
  };
  return reading.rails.size() == rails && reading.at <= until && reads(reading.gpu_load) &&
         std::all_of(reading.rails.begin(), reading.rails.end(), reads);
}

bool stands(const PausedMeter& meter, std::size_t rails) {
  const auto stands = [&meter](const PausedMeter::Rail& rail) {
    return rail.last_at <= meter.total.at && rail.gaps.size() <= PausedMeter::most_gaps &&
           std::all_of(rail.gaps.begin(), rail.gaps.end(), [](const auto& gap) { return gap.begin <= gap.end; });
  };
  return meter.rails.size() == rails && reads(meter.total, rails, meter.total.at) &&
         std::all_of(meter.rails.begin(), meter.rails.end(), stands);
}

/// A job a microsecond for a human life.
constexpr JobId most_jobs_ever = JobId{1} << 52;

/// What a window may be put off by without an instant that overflows.
constexpr Duration longest_stage = seconds(1e9);

bool possible(const SecondStage& stage) {
  const auto in_range = [](Duration time) { return time.count() >= 0 && time <= longest_stage; };
  return in_range(stage.settle) && in_range(stage.window);
}

/// What is wrong with what a job has gathered.
std::optional<std::string> contradiction_in(const Job& job, const GovernorState& state) {
  const std::size_t rails = state.board.rails.size();
  const auto known = [&](const MeterReading& reading) {
    return state.meter && reads(reading, rails, state.meter->total.at) && reading.samples <= state.meter->total.samples;
  };
  if (job.first && !known(*job.first)) return "its first reading is of no meter here";
  if (job.first && job.shares.size() != rails) return "its shares are of other rails";
  if (!std::all_of(job.shares.begin(), job.shares.end(), [](double share) { return std::isfinite(share); }))
    return "a share is no number";
  const LoadWindow& window = job.load_window;
  if (window.phase == LoadWindow::Phase::measuring && (!window.begin || !known(*window.begin)))
    return "its load window began with no reading of this meter";
  if (job.started > state.clock_accounted_at) return "it started later than anything was counted";
  const auto fitting = [&state](const auto& entry) { return fits(entry.second, state.clock_accounted_at); };
  if (!std::all_of(job.time_at.begin(), job.time_at.end(), fitting)) return "a time at a clock that never was";
  if (job.companions < 0 || job.companions >= state.next_id) return "more companions than there were jobs";
  if (!possible(job.policy.second_stage)) return "a load window of no length";
  return std::nullopt;
}

/// What adaptive measured stays behind with the daemon that measured it; the clock it found does not.
void note_restart(std::string& reason) {
  constexpr std::string_view note = "; the daemon was restarted and measures anew from here";
  if (reason.find(note) == std::string::npos) reason += note;
}

}  // namespace

std::optional<std::string> contradiction_in(const GovernorState& state) {
  if (state.meter && !stands(*state.meter, state.board.rails.size())) return "the meter is not of the board's rails";
  if (state.shared_up_to &&
      (!state.meter || !reads(*state.shared_up_to, state.board.rails.size(), state.meter->total.at)))
    return "energy is attributed up to a reading of no meter here";
  if (state.next_id < 1 || state.next_id > most_jobs_ever) return "a next id that no job will ever have";
  JobId before = 0;
  for (const Job& job : state.jobs) {
    const std::string who = "job " + std::to_string(job.id) + ": ";
    if (job.id <= before || job.id >= state.next_id) return who + "an id that was never given";
    before = job.id;
    if (job.ended_by) return who + "it has ended";
    if (const auto problem = problem_in(job.spec)) return who + problem->field + ": expected " + problem->expected;
    if (auto problem = contradiction_in(job, state)) return who + *problem;
  }
  return std::nullopt;
}

GovernorState Governor::state() const {
  GovernorState state{.next_id = next_id_,
                      .board = board_,
                      .clock = clock_,
                      .clock_accounted_at = clock_accounted_at_,
                      .shared_up_to = shared_up_to_};
  for (const auto& [id, job] : jobs_) {
    if (!job.ended_by) state.jobs.push_back(job);
  }
  if (meter_) state.meter = meter_->paused();
  return state;
}

void Governor::take_over(GovernorState state, Duration longest_step, Instant now) {
  next_id_ = state.next_id;
  taken_over_below_ = state.next_id;
  board_ = std::move(state.board);
  clock_ = std::move(state.clock);
  clock_accounted_at_ = state.clock_accounted_at;
  shared_up_to_ = std::move(state.shared_up_to);
  if (state.meter) meter_.emplace(*std::move(state.meter), longest_step);
  for (Job& job : state.jobs) {
    const JobId id = job.id;
    if (is_adaptive(job.decision)) note_restart(job.decision.reason);
    jobs_.emplace(id, std::move(job));
  }
  judge_clock_health(now);
}

}  // namespace sweetspot
