// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/board_facts.hpp"
#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/energy_meter.hpp"
#include "sweetspot/core/job.hpp"

namespace sweetspot {

/// Everything a governor knows that the next one cannot find out by itself, as a value: the jobs with what they have
/// cost so far, and what those figures refer to. Times are of this boot. Passive.
struct GovernorState {
  JobId next_id = 1;
  std::vector<Job> jobs;  ///< running ones, ascending ids
  BoardFacts board;
  ClockStatus clock;
  Instant clock_accounted_at{};              ///< the jobs' time at each clock is counted up to here
  std::optional<PausedMeter> meter;          ///< of board.rails; empty: never sampled
  std::optional<MeterReading> shared_up_to;  ///< of the same meter: energy is attributed to the jobs up to here
};

/// Why no governor can have been in this state: the first contradiction, in words. Empty when there is none. To be
/// asked about whatever came from outside the process.
[[nodiscard]] std::optional<std::string> contradiction_in(const GovernorState& state);

}  // namespace sweetspot
