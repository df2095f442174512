// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

using JobId = std::int64_t;

/// Who a job belongs to, as the kernel says (SO_PEERCRED, /proc).
struct Owner {
  std::uint32_t uid = 0;
  std::int32_t pid = 0;  ///< 0: a process the daemon cannot see (another pid namespace)
  std::string comm;
  friend bool operator==(const Owner&, const Owner&) = default;
};

/// How a job ended: EndJob; its connection or process went away; its lease ran out; the daemon stopped.
enum class EndedBy { client, lost, expired, interrupted };
[[nodiscard]] std::string_view name_of(EndedBy ended_by);

/// What one rail took while a job ran. Empty figures were not measured.
struct RailEnergy {
  std::string name;
  std::optional<Joules> energy;
  std::optional<Watts> mean_power;
  friend bool operator==(const RailEnergy&, const RailEnergy&) = default;
};

/// What a finished job cost. Every figure comes with its rails, its coverage and its gaps; what was not measured is
/// empty.
struct EnergyRecord {
  JobId job_id = 0;
  std::optional<std::string> name;
  Decision decision;
  std::optional<Hertz> applied;          ///< the clock held for the longest part of the job
  std::optional<double> share_at_clock;  ///< share of the job's time at `applied`, 0..1
  std::chrono::system_clock::time_point started;
  Duration duration{0};
  std::optional<std::int64_t> steps;  ///< as the client reported
  std::vector<RailEnergy> rails;
  std::optional<Joules> energy;  ///< sum over rails_counted, over the measured time; empty if one has none
  std::vector<std::string> rails_counted;
  std::vector<std::string> rails_left_out;
  std::optional<Watts> mean_power;      ///< of the counted rails, over the measured time
  std::uint64_t samples = 0;            ///< from the job's first to its last
  double coverage = 0;                  ///< measured share of the job's time, of the counted rail measured least, 0..1
  Duration longest_gap{0};              ///< longest stretch without a value of one of the counted rails
  bool energy_valid = false;            ///< coverage reaches the configured minimum
  std::optional<double> gpu_load_mean;  ///< per cent
  std::int64_t shared_with = 0;         ///< how many other jobs ran at some time of this one
  std::optional<Joules> share;          ///< `energy` divided equally among the jobs running at each moment
  std::optional<std::string> power_mode;
  std::optional<std::string> board;
  EndedBy ended_by = EndedBy::client;
  Owner owner;
  friend bool operator==(const EnergyRecord&, const EnergyRecord&) = default;
};

}  // namespace sweetspot
