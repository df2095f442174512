// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/gpu.hpp"

namespace sweetspot {

namespace {

tl::unexpected<Error> not_built() {
  return failure(
      "this sweetspot-load was built without CUDA: it has no GPU kernels. On a machine with nvcc and cuBLAS (JetPack "
      "brings both) configure with -DSWEETSPOT_CUDA=ON; see docs/cuda.md");
}

}  // namespace

Result<GpuFacts> find_gpu_of_cuda() {
  return not_built();
}

Result<std::unique_ptr<Arithmetic<float>>> gpu_arithmetic(MatrixFormat) {
  return not_built();
}

Result<std::unique_ptr<CycleCounter>> gpu_cycle_counter() {
  return not_built();
}

}  // namespace sweetspot
