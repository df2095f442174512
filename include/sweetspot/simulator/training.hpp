// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A stand-in for a training process on a mounted board.
struct TrainingRequest {
  std::string root;      ///< the mount: root/control is the board's
  std::string workload;  ///< id
  std::uint64_t steps = 0;
  /// Called with the number of whole steps done since the last call, as they are done; the sum is `steps` at the end.
  /// Returning false stops the training.
  std::function<bool(std::uint64_t)> on_steps;
};

/// Registers the load and waits until the board has done the steps: the board counts them at its present clock, so the
/// energy is that of exactly `steps` steps. The load ends with this call or with the process. Polls at most 200 times
/// per second. Returns the number of steps done.
[[nodiscard]] Result<std::uint64_t> run_training(const TrainingRequest& request);

}  // namespace sweetspot
