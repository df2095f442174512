// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/energy_meter.hpp"
#include "sweetspot/core/rail_choice.hpp"
#include "sweetspot/core/record.hpp"

namespace sweetspot {

/// Where a job stands. `pending`: its clock is not in force or its first sample not taken yet. `ending`: it has let go of
/// the clock and waits for its last sample.
enum class JobState { pending, active, ending };
[[nodiscard]] std::string_view name_of(JobState state);

/// The load window of the second stage: it starts `settle` after the pin and lasts `window`.
struct LoadWindow {
  enum class Phase { off, waiting_for_pin, settling, measuring, decided };
  Phase phase = Phase::off;
  Instant boundary{};                     ///< when the present phase ends (settling, measuring)
  std::optional<MeterReading> begin;      ///< the reading at the window's start
  std::optional<double> mean_percent;     ///< the result; empty while undecided, or when the load was not measured
};

/// One running job, as the governor keeps it. A passive struct; its rules are the governor's.
struct Job {
  JobId id = 0;
  JobSpec spec;
  Owner owner;
  Decision decision;
  PolicySettings policy;                  ///< as they were when the job started
  RailsWanted rails_wanted;
  Instant started{};
  std::chrono::system_clock::time_point wall_time;
  std::optional<Instant> lease_ends;
  std::optional<std::int64_t> steps;

  std::optional<MeterReading> first;      ///< empty until the sampler has delivered
  std::vector<double> shares;             ///< J per rail attributed to this job so far
  std::set<JobId> companions;             ///< jobs that ran at some time of this one
  std::map<Hertz, Duration> time_at;      ///< how long each clock was held
  LoadWindow load_window;

  std::optional<EndedBy> ended_by;        ///< set: ending
  Instant ended{};
  Instant last_sample_deadline{};
};

/// Where the job stands, given the clock. It is active once its first sample is taken and the clock is held for it.
[[nodiscard]] JobState state_of(const Job& job, const ClockStatus& clock);

struct RecordContext {
  const EnergyMeter* meter = nullptr;  ///< as it stands; null when nothing was ever sampled
  const std::vector<std::string>& rails;
  double minimum_coverage = 0;
  Instant until{};                     ///< the end of the job, or now for a running one
};
/// What the job cost up to `until`. Board, power mode and how it ended are the caller's to add.
[[nodiscard]] EnergyRecord record_of(const Job& job, const RecordContext& context);

}  // namespace sweetspot
