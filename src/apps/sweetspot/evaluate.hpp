// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/analysis/evaluation.hpp"

namespace sweetspot {

/// `sweetspot evaluate`: replays measured curves through the daemon's policies. Asks no daemon.
class EvaluateCommand {
 public:
  explicit EvaluateCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] int show(const Evaluation& evaluation) const;

  Program& program_;
  std::string curves_;
  std::vector<std::string> policies_{"none", "ffg", "mlg", "oracle", "max"};
  double noise_ = 0;
  std::uint32_t seeds_ = 1;
  std::optional<std::int64_t> steps_;
  std::optional<double> max_slowdown_;
};

/// A policy as `--policies` names it: none, ffg, mlg, adaptive, tree:FILE, fixed:HZ, oracle, max.
[[nodiscard]] Result<Contender> contender_named(const std::string& name);

}  // namespace sweetspot
