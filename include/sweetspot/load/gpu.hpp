// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/load/arithmetic.hpp"

namespace sweetspot {

// The GPU as far as the stand-in training needs one. Two sources: one for nvcc and cuBLAS (SWEETSPOT_CUDA=ON), one for
// builds without, in which everything here answers what is missing. All of it belongs to one thread.

struct GpuFacts {
  std::string name;
  int major = 0;  ///< of the compute capability: 8.7 on Orin
  int minor = 0;
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  int driver_version = 0;   ///< the newest CUDA the driver runs, as 1000 * major + 10 * minor
  int runtime_version = 0;  ///< the CUDA this program is built with, alike
};

/// The first GPU that CUDA knows.
[[nodiscard]] Result<GpuFacts> find_gpu_of_cuda();

/// What matrix products are made of: 32-bit floats throughout, or factors rounded to TensorFloat-32, which Tensor Cores
/// take.
enum class MatrixFormat { fp32, tf32 };

/// Kernels and cuBLAS, on that GPU.
[[nodiscard]] Result<std::unique_ptr<Arithmetic<float>>> gpu_arithmetic(MatrixFormat format);

/// What a kernel counted: its multiprocessor's cycles between two ticks of the GPU's wall clock.
struct CycleCount {
  std::uint64_t cycles = 0;
  std::uint64_t nanoseconds = 0;
  std::uint64_t tick_ns = 0;  ///< from one tick to the next, as seen
};

/// Counts cycles beside whatever else runs on the GPU: one thread of one multiprocessor, in a stream of its own.
class CycleCounter {
 public:
  virtual ~CycleCounter() = default;
  /// Starts a count over that time, and does not wait.
  [[nodiscard]] virtual Result<void> start(Duration window) = 0;
  /// The count, once it is over; empty before.
  [[nodiscard]] virtual Result<std::optional<CycleCount>> poll() = 0;
};
[[nodiscard]] Result<std::unique_ptr<CycleCounter>> gpu_cycle_counter();

}  // namespace sweetspot
