// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/decision_tree.hpp"

namespace sweetspot {

/// `sweetspot fit`: makes a tree file from measured curves. Asks no daemon.
class FitCommand {
 public:
  explicit FitCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
  std::string data_;
  std::string output_;
  std::string objective_ = "accuracy";
  std::string platform_;
  std::string name_ = "fit";
  std::vector<std::string> features_;
};

}  // namespace sweetspot
