// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/board_facts.hpp"

namespace sweetspot {

/// The GPU clocks of three boards as published (NVIDIA's power mode tables), for tests of the core.
inline FrequencyTable table_of(std::initializer_list<double> mhz) {
  std::vector<Hertz> clocks;
  for (const double clock : mhz) clocks.push_back(megahertz(clock));
  return FrequencyTable::from(std::move(clocks)).value();
}
inline FrequencyTable agx_orin_table() {
  return table_of({306, 408, 510, 612, 714, 816, 918, 1020, 1122, 1224, 1300.5});
}
inline FrequencyTable orin_nano_table() {
  return table_of({306, 408, 510, 612, 624.75});
}
inline FrequencyTable agx_xavier_table() {
  return table_of({114.75, 216.75, 318.75, 420.75, 522.75, 624.75, 675.75, 828.75, 905.25, 1032.75, 1198.5, 1236.75,
                   1338.75, 1377});
}

inline BoardClocks agx_orin_clocks() {
  return {agx_orin_table(), megahertz(1300.5)};
}

/// An AGX Orin with its two counted rails, one that is not, and a load file.
inline BoardFacts agx_orin() {
  return {.clocks = agx_orin_clocks(),
          .board = "NVIDIA Jetson AGX Orin Developer Kit",
          .power_mode = "MAXN",
          .rails = {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"},
          .has_gpu_load = true};
}

}  // namespace sweetspot
