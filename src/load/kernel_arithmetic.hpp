// SPDX-License-Identifier: Apache-2.0
#pragma once

// Read by nvcc and by a test, as kernels.hpp is, whose words have to be known before.

#include <algorithm>
#include <utility>

#include "load/column_major.hpp"
#include "load/kernels.hpp"

namespace sweetspot {

/// Arithmetic by kernels, on a `Device` that has memory, launches kernels and multiplies matrices:
///   Result<Real*> reserve(count); Result<void> upload(span, Real*); Result<void> download(const Real*, span);
///   Result<void> finish(); void clear(Real*, count); void copy(const Real*, Real*, count);
///   void multiply(const ColumnMajorProduct<Real>&);
///   unsigned threads();                                  per block, as kernels.hpp allows
///   void launch(kernel, unsigned blocks, arguments...);  of threads() each
template <class Real, class Device>
class KernelArithmetic final : public Arithmetic<Real> {
 public:
  explicit KernelArithmetic(Device device) : device_(std::move(device)) {}

  [[nodiscard]] Result<Real*> reserve(std::size_t count) override { return device_.reserve(count); }
  [[nodiscard]] Result<void> upload(std::span<const Real> from, Real* to) override { return device_.upload(from, to); }
  [[nodiscard]] Result<void> download(const Real* from, std::span<Real> to) override {
    return device_.download(from, to);
  }
  [[nodiscard]] Result<void> finish() override { return device_.finish(); }

  void clear(Real* numbers, std::size_t count) override { device_.clear(numbers, count); }
  void copy(const Real* from, Real* to, std::size_t count) override { device_.copy(from, to, count); }
  void multiply(const Product<Real>& product) override { device_.multiply(column_major(product)); }
  void add_bias(const Real* bias, Real* numbers, Extent extent) override {
    device_.launch(kernels::add_bias<Real>, blocks_for(extent.size()), bias, numbers, extent);
  }
  void sum_columns(const Real* numbers, Extent extent, Real* sums) override {
    device_.launch(kernels::sum_columns<Real>, blocks_for_columns(extent), numbers, extent, sums);
  }
  void normalise(const LayerNorm<Real>& norm, Real* output) override {
    device_.launch(kernels::normalise<Real>, blocks_for_rows(norm.extent), norm, output);
  }
  void normalise_backwards(const LayerNorm<Real>& norm, const LayerNormGradients<Real>& gradients) override {
    device_.launch(kernels::normalise_parameters_backwards<Real>, blocks_for_columns(norm.extent), norm, gradients);
    device_.launch(kernels::normalise_input_backwards<Real>, blocks_for_rows(norm.extent), norm, gradients);
  }
  void softmax(Real* numbers, Extent extent, Real scale) override {
    device_.launch(kernels::softmax<Real>, blocks_for_rows(extent), numbers, extent, scale);
  }
  void softmax_backwards(const Real* result, Real* gradients, Extent extent, Real scale) override {
    device_.launch(kernels::softmax_backwards<Real>, blocks_for_rows(extent), result, gradients, extent, scale);
  }
  void gelu(const Real* input, Real* output, std::size_t count) override {
    device_.launch(kernels::gelu<Real>, blocks_for(count), input, output, count);
  }
  void gelu_backwards(const Real* input, Real* gradients, std::size_t count) override {
    device_.launch(kernels::gelu_backwards<Real>, blocks_for(count), input, gradients, count);
  }
  void split_heads(const Real* tokens, Real* heads, const HeadLayout& layout) override {
    device_.launch(kernels::split_heads<Real>, blocks_for(layout.size()), tokens, heads, layout, layout.size());
  }
  void join_heads(const Real* heads, Real* tokens, const HeadLayout& layout) override {
    device_.launch(kernels::join_heads<Real>, blocks_for(layout.size()), heads, tokens, layout, layout.size());
  }
  void cross_entropy(const Real* targets, Real* logits, Extent extent, Real* losses) override {
    device_.launch(kernels::cross_entropy<Real>, blocks_for_rows(extent), targets, logits, extent, losses);
  }
  void update(const AdamWPlaces<Real>& places, const AdamW<Real>& rule) override {
    device_.launch(kernels::update<Real>, blocks_for(places.count), places, rule);
  }

 private:
  /// Enough to fill any GPU; kernels go on from there in strides.
  static constexpr std::size_t most_blocks = 4096;
  [[nodiscard]] unsigned blocks_for(std::size_t count) const {
    const std::size_t threads = device_.threads();
    return static_cast<unsigned>(std::min(most_blocks, (count + threads - 1) / threads));
  }
  [[nodiscard]] unsigned blocks_for_rows(Extent extent) const { return static_cast<unsigned>(extent.rows); }
  [[nodiscard]] unsigned blocks_for_columns(Extent extent) const {
    return static_cast<unsigned>((extent.columns + kernels::column_lanes - 1) / kernels::column_lanes);
  }

  Device device_;
};

}  // namespace sweetspot
