// SPDX-License-Identifier: Apache-2.0
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

#include "load/cuda_owned.hpp"
#include "load/kernel_arithmetic.hpp"
#include "sweetspot/load/gpu.hpp"

namespace sweetspot {

namespace {

Result<void> cublas_result(cublasStatus_t code, const std::string& what) {
  if (code == CUBLAS_STATUS_SUCCESS) return {};
  return failure(what + ": " + cublasGetStatusString(code));
}

struct CublasEnd {
  void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
};
using OwnedCublas = std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, CublasEnd>;

struct MemoryEnd {
  void operator()(float* memory) const { cudaFree(memory); }
};
using OwnedMemory = std::unique_ptr<float, MemoryEnd>;

/// The device of KernelArithmetic: one stream of the current GPU. What goes wrong while work is queued is kept and told
/// at the next finish(), download() or upload().
class CudaDevice {
 public:
  [[nodiscard]] static Result<CudaDevice> open(MatrixFormat format) {
    auto stream = new_stream();
    if (!stream) return failure(std::move(stream.error()));
    cublasHandle_t handle = nullptr;
    if (auto made = cublas_result(cublasCreate(&handle), "cuBLAS"); !made) return failure(std::move(made.error()));
    OwnedCublas products(handle);
    auto set = cublas_result(cublasSetStream(handle, stream->get()), "cuBLAS");
    const auto mode = format == MatrixFormat::tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH;
    if (set) set = cublas_result(cublasSetMathMode(handle, mode), "cuBLAS");
    if (!set) return failure(std::move(set.error()));
    return CudaDevice(std::move(*stream), std::move(products));
  }

  [[nodiscard]] unsigned threads() const { return kernels::most_threads; }

  [[nodiscard]] Result<float*> reserve(std::size_t count) {
    float* memory = nullptr;
    auto got = cuda_result(cudaMalloc(&memory, count * sizeof(float)),
                           std::to_string(count * sizeof(float) >> 20U) + " MiB of the GPU's memory");
    if (!got) return failure(std::move(got.error()));
    memory_.emplace_back(memory);
    return memory;
  }

  [[nodiscard]] Result<void> upload(std::span<const float> from, float* to) {
    note(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream_.get()),
         "copying to the GPU");
    return finish();
  }
  [[nodiscard]] Result<void> download(const float* from, std::span<float> to) {
    note(cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost, stream_.get()),
         "copying from the GPU");
    return finish();
  }
  [[nodiscard]] Result<void> finish() {
    note(cudaStreamSynchronize(stream_.get()), "waiting for the GPU");
    return std::exchange(trouble_, {});
  }

  void clear(float* numbers, std::size_t count) {
    note(cudaMemsetAsync(numbers, 0, count * sizeof(float), stream_.get()), "clearing memory of the GPU");
  }
  void copy(const float* from, float* to, std::size_t count) {
    note(cudaMemcpyAsync(to, from, count * sizeof(float), cudaMemcpyDeviceToDevice, stream_.get()),
         "copying within the GPU");
  }

  void multiply(const ColumnMajorProduct<float>& product) {
    const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const auto& [first, second] = std::tie(product.first, product.second);
    const auto code = cublasSgemmStridedBatched(
        products_.get(), operation(first.transposed), operation(second.transposed), product.rows, product.columns,
        product.inner, &product.scale, first.at, first.leading, first.stride, second.at, second.leading, second.stride,
        &product.kept, product.result, product.result_leading, product.result_stride, product.count);
    note(cublas_result(code, "a product of matrices"));
  }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), unsigned blocks, const Arguments&... arguments) {
    kernel<<<blocks, threads(), 0, stream_.get()>>>(arguments...);
    note(cudaGetLastError(), "starting a kernel");
  }

 private:
  CudaDevice(OwnedStream stream, OwnedCublas products) : stream_(std::move(stream)), products_(std::move(products)) {}

  /// The first trouble counts: what follows it is its consequence.
  void note(Result<void> result) {
    if (trouble_ && !result) trouble_ = std::move(result);
  }
  void note(cudaError_t code, const char* what) {
    if (code != cudaSuccess) note(cuda_result(code, what));
  }

  OwnedStream stream_;
  OwnedCublas products_;
  std::vector<OwnedMemory> memory_;
  Result<void> trouble_;
};

}  // namespace

Result<GpuFacts> find_gpu_of_cuda() {
  GpuFacts facts;
  cudaDriverGetVersion(&facts.driver_version);
  cudaRuntimeGetVersion(&facts.runtime_version);
  int count = 0;
  if (auto counted = cuda_result(cudaGetDeviceCount(&count), "no GPU for CUDA"); !counted) {
    if (facts.driver_version == 0) return failure("no GPU for CUDA: no driver of NVIDIA is loaded here");
    return failure(std::move(counted.error()));
  }
  if (count == 0) return failure("no GPU for CUDA: the driver knows none");
  cudaDeviceProp properties{};
  if (auto got = cuda_result(cudaGetDeviceProperties(&properties, 0), "the GPU's properties"); !got) {
    return failure(std::move(got.error()));
  }
  facts.name = properties.name;
  facts.major = properties.major;
  facts.minor = properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.memory_bytes = properties.totalGlobalMem;
  return facts;
}

Result<std::unique_ptr<Arithmetic<float>>> gpu_arithmetic(MatrixFormat format) {
  if (auto found = find_gpu_of_cuda(); !found) return failure(std::move(found.error()));
  auto device = CudaDevice::open(format);
  if (!device) return failure(std::move(device.error()));
  return std::make_unique<KernelArithmetic<float, CudaDevice>>(std::move(*device));
}

}  // namespace sweetspot
