// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

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
};

/// One running job, as the governor keeps it. A passive struct; its rules are the governor's.
struct Job {
  JobId id = 0;
  JobSpec spec;
  Owner owner;
  Decision decision;
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

/// The job's record, given the meter as it stands when the job is finished. `meter` is null when nothing was ever sampled.
[[nodiscard]] EnergyRecord record_of(const Job& job, const EnergyMeter* meter, const std::vector<std::string>& rails,
                                     double minimum_coverage);

}  // namespace sweetspot
