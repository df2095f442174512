// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <type_traits>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// What a call of the CUDA runtime answered, as a Result: "what: CUDA's own words".
[[nodiscard]] inline Result<void> cuda_result(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return {};
  return failure(what + ": " + cudaGetErrorString(code));
}

struct StreamEnd {
  void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};
using OwnedStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamEnd>;

/// A stream that waits for no other one.
[[nodiscard]] inline Result<OwnedStream> new_stream() {
  cudaStream_t stream = nullptr;
  auto made = cuda_result(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream of the GPU");
  if (!made) return failure(std::move(made.error()));
  return OwnedStream(stream);
}

}  // namespace sweetspot
