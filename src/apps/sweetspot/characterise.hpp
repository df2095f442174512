// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/wire/characterisation_json.hpp"

namespace sweetspot {

/// `sweetspot characterise`: what measured curves say of their workloads. Asks no daemon.
class CharacteriseCommand {
 public:
  explicit CharacteriseCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
  std::string data_;
};

/// Curve by curve: a table of its clocks, then what was made of them.
[[nodiscard]] std::string characterisation_text(const std::vector<CharacterisedCurve>& curves);

}  // namespace sweetspot
