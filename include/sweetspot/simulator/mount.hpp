// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/simulator/board.hpp"
#include "sweetspot/simulator/workload.hpp"

namespace sweetspot {

/// A board to be played as a file system.
struct MountRequest {
  std::string directory;  ///< exists and is empty
  Board board;
  std::optional<Workload> background;  ///< runs while nobody starts a load
  double time_scale = 1;
  std::uint64_t seed = 1;
  bool sensor_noise = true;
  double run_noise = 0;
  std::optional<int> power_mode;
  bool allow_other = false;         ///< root always does
  std::vector<std::string> faults;  ///< lines of the control language, carried out before the mount
  std::function<void()> on_ready;
};

/// Mounts and serves until SIGTERM, SIGINT, SIGHUP or an unmount from outside; then unmounts. Blocks those signals in
/// the calling thread. Refuses when FUSE is not available, the directory is not empty or a fault line is wrong.
[[nodiscard]] Result<void> run_mount(MountRequest request);

/// The grammar of DIR/control and --fault, for help texts.
[[nodiscard]] std::string fault_grammar();

}  // namespace sweetspot
