// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/client/governor_client.hpp"

namespace sweetspot {

/// `sweetspot end ID…` and `sweetspot end --mine`: ends jobs and prints what they cost.
class EndCommand {
 public:
  explicit EndCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] Result<std::vector<JobId>> jobs_to_end(GovernorClient& client) const;

  Program& program_;
  std::vector<JobId> ids_;
  bool mine_ = false;
};

}  // namespace sweetspot
