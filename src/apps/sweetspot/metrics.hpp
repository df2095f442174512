// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/sweetspot/program.hpp"

namespace sweetspot {

/// `sweetspot metrics`: the status in Prometheus' text format.
class MetricsCommand {
 public:
  explicit MetricsCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
  std::string output_;  ///< empty: standard output
};

}  // namespace sweetspot
