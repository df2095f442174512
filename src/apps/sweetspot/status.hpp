// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/sweetspot/program.hpp"

namespace sweetspot {

/// `sweetspot status`: clock, jobs, rails and health as they are now.
class StatusCommand {
 public:
  explicit StatusCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
};

}  // namespace sweetspot
