// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/policy.hpp"

namespace sweetspot {

/// What the daemon knows of its board. Everything may appear later, move or vanish; nothing is latched.
struct BoardFacts {
  std::optional<BoardClocks> clocks;  ///< empty while the GPU node is missing
  std::optional<std::string> board;   ///< device-tree model text
  std::optional<std::string> power_mode;
  std::vector<std::string> rails;  ///< labels, in the order of PowerSample::rails
  bool has_gpu_load = false;
  friend bool operator==(const BoardFacts&, const BoardFacts&) = default;
};

}  // namespace sweetspot
