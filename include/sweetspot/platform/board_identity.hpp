// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// What the board says it is. Every text may be empty: carriers name themselves freely, containers and images without
/// NVIDIA's user land have no release file. Nothing may depend on the model text; it is for people to read.
struct BoardIdentity {
  std::string model;                    // "NVIDIA Jetson AGX Orin Developer Kit"
  std::vector<std::string> compatible;  // "nvidia,p3737-0000+p3701-0005", …, "nvidia,tegra234"
  std::string id;                       // the first compatible without its vendor
  std::string soc;                      // "tegra234"
  std::string l4t;                      // "36.4.7", a hint
  std::string jetpack;                  // "6.2.1", guessed from the L4T release
  bool is_thor = false;

  friend bool operator==(const BoardIdentity&, const BoardIdentity&) = default;
};

/// Reads /sys/firmware/devicetree/base and /etc/nv_tegra_release. Never fails: what is missing stays empty.
[[nodiscard]] BoardIdentity identify_board(const Attributes& board);

/// "# R36 (release), REVISION: 4.7, …" → "36.4.7"; empty when it is not such a line.
[[nodiscard]] std::string l4t_release(std::string_view release_file);
/// The JetPack that shipped an L4T release, as jetson_stats' table has it; empty for one it does not know.
[[nodiscard]] std::string jetpack_of(std::string_view l4t);

}  // namespace sweetspot
