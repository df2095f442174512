// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "sweetspot/simulator/played_curve.hpp"

namespace sweetspot {

/// `sweetspot-sim curve`: what a job would cost at every clock, from the physical model, as a file of measured curves.
class CurveCommand {
 public:
  explicit CurveCommand(CLI::App& app);
  /// Exit status.
  [[nodiscard]] int run() const;

 private:
  std::string board_ = "agx-orin-64-jp6";
  std::string workload_;
  Workload shape_;  ///< of a job that the table does not have
  PlayedRuns how_;
  bool no_head_ = false;
};

}  // namespace sweetspot
