// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "sweetspot/core/governor.hpp"

// A governor as a value, and a governor from one: how jobs outlive the process that started them.
namespace sweetspot {
namespace {

bool reads(const MeterReading::Channel& channel) {
  return std::isfinite(channel.integral) && channel.covered.count() >= 0;
}

/// A reading that a meter with so many rails can have given, no later than `until`.
bool reads(const MeterReading& reading, std::size_t rails, Instant until) {
  return reading.rails.size() == rails && reading.at <= until && reads(reading.gpu_load) &&
         std::all_of(reading.rails.begin(), reading.rails.end(), [](const auto& channel) { return reads(channel); });
}

bool stands(const PausedMeter& meter, std::size_t rails) {
  const auto stands = [&meter](const PausedMeter::Rail& rail) {
    return rail.last_at <= meter.total.at && rail.gaps.size() <= PausedMeter::most_gaps &&
           std::all_of(rail.gaps.begin(), rail.gaps.end(), [](const auto& gap) { return gap.begin <= gap.end; });
  };
  return meter.rails.size() == rails && reads(meter.total, rails, meter.total.at) &&
         std::all_of(meter.rails.begin(), meter.rails.end(), stands);
}

/// What is wrong with the readings a job refers to.
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
  const auto negative = [](const auto& entry) { return entry.second.count() < 0; };
  if (std::any_of(job.time_at.begin(), job.time_at.end(), negative)) return "a negative time at a clock";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> contradiction_in(const GovernorState& state) {
  if (state.meter && !stands(*state.meter, state.board.rails.size())) return "the meter is not of the board's rails";
  if (state.shared_up_to &&
      (!state.meter || !reads(*state.shared_up_to, state.board.rails.size(), state.meter->total.at)))
    return "energy is attributed up to a reading of no meter here";
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
  board_ = std::move(state.board);
  clock_ = std::move(state.clock);
  clock_accounted_at_ = state.clock_accounted_at;
  shared_up_to_ = std::move(state.shared_up_to);
  if (state.meter) meter_.emplace(*std::move(state.meter), longest_step);
  for (Job& job : state.jobs) {
    const JobId id = job.id;
    jobs_.emplace(id, std::move(job));
  }
  judge_clock_health(now);
}

}  // namespace sweetspot
