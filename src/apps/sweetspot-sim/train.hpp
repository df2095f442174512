// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/simulator/training.hpp"
#include "sweetspot/simulator/workload.hpp"

namespace sweetspot {

/// `sweetspot-sim train`: a stand-in training process, alone on the board or as a job of the daemon.
class TrainCommand {
 public:
  explicit TrainCommand(CLI::App& app);
  /// Exit status.
  [[nodiscard]] int run();

 private:
  [[nodiscard]] Result<JobSpec> spec_as_asked(const Workload& work) const;

  TrainingRequest request_;
  std::string socket_;  // empty: no daemon is told
  std::string policy_;
  std::string frequency_;
  std::string name_;
  bool progress_ = false;
  bool json_ = false;
};

}  // namespace sweetspot
