// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words of CUDA that src/load/kernels.hpp uses, with a meaning on a CPU: the threads of a block take turns
// (emulated_block.hpp), the blocks follow each other, what a block shares is static. Shows whether the kernels compute
// the right thing and are launched the right way; not how a GPU rounds, nor that its compiler agrees.

#include <algorithm>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "tests/load/emulated_block.hpp"

#define __global__
#define __device__
#define __shared__ static

namespace sweetspot::kernels {

struct Index {
  unsigned x = 0;
};
struct ThreadIndex {
  /// Like a member, for it is another one after every turn.
  struct X {
    operator unsigned() const { return emulation::Block::thread(); }
  } x;
};
inline ThreadIndex threadIdx;
inline Index blockIdx;
inline Index blockDim;
inline Index gridDim;
inline void __syncthreads() {
  emulation::Block::wait_for_others();
}

}  // namespace sweetspot::kernels

#include "load/kernel_arithmetic.hpp"

namespace sweetspot::tests {

/// The device of KernelArithmetic, on this machine's CPU.
template <class Real>
class EmulatedDevice {
 public:
  /// So many threads a block: a power of two, 32 to 256.
  explicit EmulatedDevice(unsigned threads) : threads_(threads), block_(threads) {}

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
    kernels::blockDim.x = threads_;
    kernels::gridDim.x = blocks;
    for (unsigned block = 0; block < blocks; ++block) {
      kernels::blockIdx.x = block;
      block_.run([&] { kernel(arguments...); }, block % 2 == 1);
    }
  }

 private:
  unsigned threads_;
  emulation::Block block_;
  std::vector<std::vector<Real>> reserved_;
};

template <class Real>
using EmulatedArithmetic = KernelArithmetic<Real, EmulatedDevice<Real>>;

}  // namespace sweetspot::tests
