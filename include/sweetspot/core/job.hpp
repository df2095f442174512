// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/energy_meter.hpp"
#include "sweetspot/core/rail_choice.hpp"
#include "sweetspot/core/record.hpp"

namespace sweetspot {

/// Where a job stands. `pending`: its clock is not in force or its first sample not taken yet. `ending`: it has let go
/// of the clock and waits for its last sample.
enum class JobState { pending, active, ending };
[[nodiscard]] std::string_view name_of(JobState state);

/// The load window of the second stage: it starts `settle` after the pin and lasts `window`.
struct LoadWindow {
  enum class Phase { off, waiting_for_pin, settling, measuring, decided };
  Phase phase = Phase::off;
  Instant boundary{};                  ///< when the present phase ends (settling, measuring)
  bool sample_due = false;             ///< the boundary has passed; the phase ends with the next sample
  std::optional<MeterReading> begin;   ///< the reading at the window's start
  std::optional<double> mean_percent;  ///< the result; empty while undecided, or when the load was not measured
};
/// Throws the window away, so that the next pin begins a new one. One that is off or decided stays so.
void restart(LoadWindow& window);
/// Whether the present phase ends at a known time.
[[nodiscard]] bool is_timed(const LoadWindow& window);

/// One job, running or ending, as the governor keeps it. A passive struct; its rules are the governor's.
struct Job {
  JobId id = 0;
  JobSpec spec;
  Owner owner;
  Decision decision;
  PolicySettings policy;  ///< as they were when the job started
  RailsWanted rails_wanted;
  Instant started{};
  std::chrono::system_clock::time_point wall_time;
  std::optional<Instant> lease_ends;
  std::optional<std::int64_t> steps;  ///< done so far, as the client reported

  std::optional<MeterReading> first;  ///< empty until the sampler has delivered
  std::vector<double> shares;         ///< J per rail attributed to this job so far
  std::int64_t companions = 0;        ///< how many other jobs ran at some time of this one
  std::map<Hertz, Duration> time_at;  ///< how long each clock was held
  LoadWindow load_window;

  std::optional<EndedBy> ended_by;  ///< set: ending
  Instant ended{};
  Instant last_sample_deadline{};
};

/// Where the job stands, given the clock. It is active once its first sample is taken and the clock is held for it.
[[nodiscard]] JobState state_of(const Job& job, const ClockStatus& clock);

/// Notes that the board held `clock` from `from` to `to`, while the job ran.
void hold_clock(Job& job, Hertz clock, Instant from, Instant to);

/// What a record is made from besides its job.
struct RecordContext {
  const EnergyMeter* meter = nullptr;  ///< as it stands; null when nothing was ever sampled
  const std::vector<std::string>& rails;
  double minimum_coverage = 0;  ///< 0..1; below it the energy is not valid
  Instant until{};              ///< the end of the job, or now for a running one
};
/// What the job cost up to `until`. Board, power mode and how it ended are the caller's to add.
[[nodiscard]] EnergyRecord record_of(const Job& job, const RecordContext& context);

}  // namespace sweetspot
