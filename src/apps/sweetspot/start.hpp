// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/spec_options.hpp"

namespace sweetspot {

/// `sweetspot start [spec] --pid P`: a job for a process that already runs. It ends with that process, or by `end`.
class StartCommand {
 public:
  explicit StartCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
  SpecOptions options_;
  std::int64_t pid_ = 0;
};

}  // namespace sweetspot
