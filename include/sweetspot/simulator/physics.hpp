// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// How long one training step takes: (floor^3 + (work/f)^3)^(1/3). `work` is GPU cycles that scale with the clock, in
/// MHz·s; `floor_s` is what does not (kernel launches, memory). Both for one step on one board.
struct StepShape {
  double work_mhz_s = 0;
  double floor_s = 0;
};
[[nodiscard]] double step_seconds(StepShape shape, double mhz);

/// Share of the time the GPU computes rather than waits, 0…0.98: the clock-bound part of the step.
[[nodiscard]] double busy_share(StepShape shape, double mhz);

/// Square of the GPU voltage at a clock, relative to its lowest value. Flat at Vmin up to about 510 MHz, 1.99 at the
/// top of AGX Orin (1300.5 MHz); other boards use the same curve stretched to their own top clock.
[[nodiscard]] double relative_v2(double mhz, double top_mhz);

/// What a board's power is made of, in watts. Boards differ in these numbers and in how rails add them up.
struct PowerTraits {
  double throughput = 1;        ///< work done per MHz, relative to AGX Orin 64 GB
  double gpu_gated = 2.4;       ///< GPU_SOC with the GPU power-gated
  double gpu_idle = 3.2;        ///< powered, nothing to do
  double gpu_base = 4.8;        ///< powered and working, whatever the clock
  double gpu_per_mhz = 0.0135;  ///< times MHz, relative V² and busy share
  double traffic = 12;          ///< memory traffic inside the SoC, at full memory intensity
  double cpu_idle = 0.4;
  double system_idle = 5;
  double system_working = 7;
  double system_memory = 4;  ///< on top, at full memory intensity
  double dram_idle = 0.3;
  double dram_memory = 2;  ///< on top, at full memory intensity
};

/// Power of each part of a board at one moment, W.
struct PartPower {
  double gpu = 0;
  double traffic = 0;
  double cpu = 0;
  double system = 0;
  double dram = 0;

  [[nodiscard]] PartPower scaled(double factor) const;
  friend PartPower operator+(PartPower a, PartPower b);
};

/// What a workload asks of the board while it runs.
struct Demand {
  double load = 0;    ///< GPU busy share, 0…1
  double memory = 0;  ///< memory intensity, 0…1
  double cpu_w = 0;   ///< CPU power while training, 1…2.5 W on AGX Orin
};

[[nodiscard]] PartPower working_power(const PowerTraits& board, Demand demand, double mhz, double top_mhz);
[[nodiscard]] PartPower idle_power(const PowerTraits& board, bool gpu_powered);

}  // namespace sweetspot
