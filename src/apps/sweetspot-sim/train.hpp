// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "sweetspot/simulator/training.hpp"

namespace sweetspot {

/// `sweetspot-sim train`: a stand-in training process, alone on the board or as a job of the daemon.
class TrainCommand {
 public:
  explicit TrainCommand(CLI::App& app);
  /// Exit status.
  [[nodiscard]] int run();

 private:
  TrainingRequest request_;
  std::string socket_;  // empty: no daemon is told
  std::string policy_;
  bool progress_ = false;
  bool json_ = false;
};

}  // namespace sweetspot
