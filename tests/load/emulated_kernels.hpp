// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words of CUDA that src/load/kernels.hpp uses, with a meaning on a CPU: the threads of a block are threads, the
// blocks follow each other, what a block shares is static. Shows whether the kernels compute the right thing and are
// launched the right way; not how a GPU rounds, nor that its compiler agrees.

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "sweetspot/core/result.hpp"

#define __global__
#define __device__
#define __shared__ static

namespace sweetspot::emulation {

struct Index {
  unsigned x = 0;
};
inline thread_local Index thread_index;
inline thread_local Index block_index;
inline Index block_size;
inline Index grid_size;
inline std::barrier<>* threads_of_block = nullptr;

}  // namespace sweetspot::emulation

namespace sweetspot::kernels {

inline thread_local emulation::Index& threadIdx = emulation::thread_index;
inline thread_local emulation::Index& blockIdx = emulation::block_index;
inline emulation::Index& blockDim = emulation::block_size;
inline emulation::Index& gridDim = emulation::grid_size;
inline void __syncthreads() {
  emulation::threads_of_block->arrive_and_wait();
}

}  // namespace sweetspot::kernels

#include "load/kernel_arithmetic.hpp"

namespace sweetspot::testing {

/// The device of KernelArithmetic, on this machine's CPU.
template <class Real>
class EmulatedDevice {
 public:
  /// A power of two, 32 to 256.
  explicit EmulatedDevice(unsigned threads) : threads_(threads) {}

  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] Result<Real*> reserve(std::size_t count) {
    reserved_.emplace_back(count);
    return reserved_.back().data();
  }
  [[nodiscard]] Result<void> upload(std::span<const Real> from, Real* to) {
    std::copy(from.begin(), from.end(), to);
    return {};
  }
  [[nodiscard]] Result<void> download(const Real* from, std::span<Real> to) {
    std::copy(from, from + to.size(), to.begin());
    return {};
  }
  [[nodiscard]] Result<void> finish() { return {}; }
  void clear(Real* numbers, std::size_t count) { std::fill(numbers, numbers + count, Real(0)); }
  void copy(const Real* from, Real* to, std::size_t count) { std::copy(from, from + count, to); }

  /// As BLAS defines it.
  void multiply(const ColumnMajorProduct<Real>& product) {
    const auto at = [](const auto& operand, int entry, int row, int column) {
      const int place = operand.transposed ? row * operand.leading + column : column * operand.leading + row;
      return operand.at[entry * operand.stride + place];
    };
    for (int entry = 0; entry < product.count; ++entry) {
      for (int column = 0; column < product.columns; ++column) {
        for (int row = 0; row < product.rows; ++row) {
          Real sum = 0;
          for (int i = 0; i < product.inner; ++i) {
            sum += at(product.first, entry, row, i) * at(product.second, entry, i, column);
          }
          Real& place = product.result[entry * product.result_stride + column * product.result_leading + row];
          place = product.scale * sum + (product.kept == Real(0) ? Real(0) : product.kept * place);
        }
      }
    }
  }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), unsigned blocks, const Arguments&... arguments) {
    std::barrier<> together(static_cast<std::ptrdiff_t>(threads_));
    emulation::threads_of_block = &together;
    emulation::block_size.x = threads_;
    emulation::grid_size.x = blocks;
    std::vector<std::thread> running;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      running.emplace_back([&, thread] {
        emulation::thread_index.x = thread;
        for (unsigned block = 0; block < blocks; ++block) {
          emulation::block_index.x = block;
          kernel(arguments...);
          together.arrive_and_wait();
        }
      });
    }
    for (std::thread& thread : running) thread.join();
  }

 private:
  unsigned threads_;
  std::vector<std::vector<Real>> reserved_;
};

template <class Real>
using EmulatedArithmetic = KernelArithmetic<Real, EmulatedDevice<Real>>;

}  // namespace sweetspot::testing
