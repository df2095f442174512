// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <memory>

#include "load/cuda_owned.hpp"
#include "sweetspot/load/gpu.hpp"

namespace sweetspot {

namespace {

__device__ std::uint64_t wall_clock_ns() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__device__ std::uint64_t tick_after(std::uint64_t before) {
  std::uint64_t now = before;
  while (now == before) now = wall_clock_ns();
  return now;
}

/// From one tick of the wall clock to the first one after the window, so that the length of a tick, a microsecond on
/// some GPUs, does not matter. clock64 counts the cycles of the multiprocessor this runs on, at whatever rate they
/// come.
__global__ void count_cycles(std::uint64_t window_ns, CycleCount* result) {
  const std::uint64_t start = tick_after(wall_clock_ns());
  const long long first_cycle = clock64();
  std::uint64_t now = tick_after(start);
  long long cycle = clock64();
  const std::uint64_t tick = now - start;
  while (now - start < window_ns) {
    now = tick_after(now);
    cycle = clock64();
  }
  *result = {static_cast<std::uint64_t>(cycle - first_cycle), now - start, tick};
}

struct EventEnd {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
using OwnedEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventEnd>;

struct HostMemoryEnd {
  void operator()(CycleCount* memory) const { cudaFreeHost(memory); }
};
using OwnedCount = std::unique_ptr<CycleCount, HostMemoryEnd>;

class CudaCycleCounter final : public CycleCounter {
 public:
  CudaCycleCounter(OwnedStream stream, OwnedEvent done, OwnedCount count)
      : stream_(std::move(stream)), done_(std::move(done)), count_(std::move(count)) {}

  [[nodiscard]] Result<void> start(Duration window) override {
    count_cycles<<<1, 1, 0, stream_.get()>>>(static_cast<std::uint64_t>(window.count()), count_.get());
    if (auto started = cuda_result(cudaGetLastError(), "starting the count of cycles"); !started) return started;
    return cuda_result(cudaEventRecord(done_.get(), stream_.get()), "starting the count of cycles");
  }

  [[nodiscard]] Result<std::optional<CycleCount>> poll() override {
    const auto code = cudaEventQuery(done_.get());
    if (code == cudaErrorNotReady) {
      cudaGetLastError();  // or whoever asks next takes "not ready" for a fault of its own
      return std::nullopt;
    }
    if (auto got = cuda_result(code, "the count of cycles"); !got) return failure(std::move(got.error()));
    return *count_;
  }

 private:
  OwnedStream stream_;
  OwnedEvent done_;
  OwnedCount count_;  // of the host, and the kernel writes it there
};

}  // namespace

Result<std::unique_ptr<CycleCounter>> gpu_cycle_counter() {
  if (auto found = find_gpu_of_cuda(); !found) return failure(std::move(found.error()));
  auto stream = new_stream();
  if (!stream) return failure(std::move(stream.error()));
  cudaEvent_t event = nullptr;
  auto made = cuda_result(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event of the GPU");
  if (!made) return failure(std::move(made.error()));
  OwnedEvent done(event);
  CycleCount* count = nullptr;
  made = cuda_result(cudaHostAlloc(&count, sizeof(CycleCount), cudaHostAllocMapped), "memory for the count of cycles");
  if (!made) return failure(std::move(made.error()));
  return std::make_unique<CudaCycleCounter>(std::move(*stream), std::move(done), OwnedCount(count));
}

}  // namespace sweetspot
