// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sweetspot/load/arithmetic.hpp"

namespace sweetspot {

/// The reference: every operation as its definition reads, on one core. Meant to be right and not fast; what a GPU
/// computes is held against it. Exists for float and double.
template <class Real>
class CpuArithmetic final : public Arithmetic<Real> {
 public:
  [[nodiscard]] Result<Real*> reserve(std::size_t count) override;
  [[nodiscard]] Result<void> upload(std::span<const Real> from, Real* to) override;
  [[nodiscard]] Result<void> download(const Real* from, std::span<Real> to) override;
  [[nodiscard]] Result<void> finish() override { return {}; }

  void clear(Real* numbers, std::size_t count) override;
  void copy(const Real* from, Real* to, std::size_t count) override;
  void multiply(const Product<Real>& product) override;
  void add_bias(const Real* bias, Real* numbers, Extent extent) override;
  void sum_columns(const Real* numbers, Extent extent, Real* sums) override;
  void normalise(const LayerNorm<Real>& norm, Real* output) override;
  void normalise_backwards(const LayerNorm<Real>& norm, const LayerNormGradients<Real>& gradients) override;
  void softmax(Real* numbers, Extent extent, Real scale) override;
  void softmax_backwards(const Real* result, Real* gradients, Extent extent, Real scale) override;
  void gelu(const Real* input, Real* output, std::size_t count) override;
  void gelu_backwards(const Real* input, Real* gradients, std::size_t count) override;
  void split_heads(const Real* tokens, Real* heads, const HeadLayout& layout) override;
  void join_heads(const Real* heads, Real* tokens, const HeadLayout& layout) override;
  void cross_entropy(const Real* targets, Real* logits, Extent extent, Real* losses) override;
  void update(const AdamWPlaces<Real>& places, const AdamW<Real>& rule) override;

 private:
  std::vector<std::vector<Real>> reserved_;
};

}  // namespace sweetspot
