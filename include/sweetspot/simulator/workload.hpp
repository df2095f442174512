// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/simulator/physics.hpp"

namespace sweetspot {

/// One published energy of a whole job, at a pinned clock.
struct MeasuredPoint {
  double mhz = 0;
  double joules = 0;
};

/// Published energies over VDD_GPU_SOC + VDD_CPU_CV of one whole job on a Jetson AGX Orin 64 GB. Source: the public
/// repository github.com/esainulab/slmdvfs, commit 9e14047 (numbers only). Points ascend in clock.
struct MeasuredCurve {
  std::vector<MeasuredPoint> points;
  double maxn_joules = 0;  ///< MAXN power mode, default governor, no pin
  /// Mean clock the MAXN run is played at. Published for Gemma-2B (1293 MHz); for the others an assumption: where the
  /// pinned curve, right of its minimum, costs what MAXN cost.
  double maxn_mhz = 0;
};

/// A fine-tuning job as the simulator plays it.
struct Workload {
  std::string id;  ///< "model/task"
  int layers = 0;
  int hidden_size = 0;
  double mean_sequence_length = 0;
  int batch_size = 0;
  double total_steps = 0;
  StepShape step;  ///< on AGX Orin 64 GB
  Demand demand;   ///< `load` is used only where `curve` is given; else it follows from `step` and the clock
  std::optional<MeasuredCurve> curve;
  std::string source;  ///< where the numbers come from and which of them are assumptions
};

[[nodiscard]] std::vector<Workload> workloads();
/// Accepts the id. Refuses an unknown one, naming those that exist.
[[nodiscard]] Result<Workload> find_workload(std::string_view id);

/// How a workload runs on a board at one moment.
struct OperatingPoint {
  double step_seconds = 0;
  double load = 0;
  PartPower power;
};

/// The board as a workload sees it.
struct Stage {
  PowerTraits traits;
  double top_mhz = 0;
  bool measured_here = false;  ///< true on the board the published curves were measured on
};

/// At a clock that something pins or caps. For measured workloads on the measured board, step_seconds × power of gpu
/// and cpu × total_steps is exactly the published energy at published clocks; between them the ratio of published to
/// modelled power is interpolated.
[[nodiscard]] OperatingPoint pinned_point(const Workload& work, const Stage& stage, double mhz);
/// Left to the default governor with the full range, where a MAXN energy is published; empty otherwise.
[[nodiscard]] std::optional<OperatingPoint> unpinned_point(const Workload& work, const Stage& stage);
/// The clock the default governor (nvhost_podgov) settles at when nothing limits it.
[[nodiscard]] Hertz governor_wish(const Workload& work, const Stage& stage, const std::vector<Hertz>& clocks);

}  // namespace sweetspot
