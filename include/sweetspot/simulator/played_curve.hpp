// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sweetspot/simulator/board.hpp"
#include "sweetspot/simulator/workload.hpp"

namespace sweetspot {

/// One run of a whole job, as the physical model has it.
struct PlayedRun {
  std::optional<Hertz> clock;  ///< empty: left to the default governor
  int repeat = 1;
  double seconds = 0;
  double joules = 0;  ///< of the GPU's and the CPU's rails, as the paper counts
  double load = 0;    ///< GPU busy share, 0…1
};

struct PlayedRuns {
  int repeats = 1;
  double run_noise = 0;  ///< standard deviation of the power from run to run, as a fraction
  std::uint64_t seed = 1;
};

/// A job at every clock of a board and unpinned: what a sweep over the mounted board would measure if sensors had no
/// noise and clocks no delay, without the time it takes. The noise depends on the seed and the workload's id only.
[[nodiscard]] std::vector<PlayedRun> played_runs(const Workload& work, const Board& board, const PlayedRuns& how);

}  // namespace sweetspot
