// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sweetspot/core/units.hpp"
#include "sweetspot/load/gpu.hpp"
#include "sweetspot/load/training_shape.hpp"

namespace sweetspot {

/// What the command line of sweetspot-load asks for.
struct LoadOptions {
  TrainingShape shape;
  std::uint64_t steps = 100;
  std::uint64_t seed = 1;
  MatrixFormat format = MatrixFormat::fp32;
  bool on_cpu = false;

  bool with_job = true;
  std::string socket;  // as the user gave it
  std::string name = "sweetspot-load";

  std::string sysfs_root;
  std::uint64_t readings = 10;
  Duration window = seconds(0.2);
  Duration between_readings = seconds(1);
};

/// "12 layers, hidden size 768, 12 heads, batch of 8 × 128 tokens: 85080608 parameters,
/// 3290.0 MB of memory".
[[nodiscard]] std::string shape_text(const TrainingShape& shape);
/// "NVIDIA … (compute capability 8.7, 16 multiprocessors, 61 GiB, CUDA 12.6)".
[[nodiscard]] std::string gpu_text(const GpuFacts& facts);

}  // namespace sweetspot
