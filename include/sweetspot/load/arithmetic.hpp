// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Rows and columns of a matrix whose rows lie one after the other without gaps.
struct Extent {
  std::size_t rows = 0;
  std::size_t columns = 0;
  [[nodiscard]] std::size_t size() const { return rows * columns; }
};

/// What a result does to what lay in its place.
enum class Into { replaces, adds };

/// `count` products of matrices: result (rows × columns) = scale · left (rows × inner) · right (inner × columns). A
/// transposed operand lies in memory the other way round. Operands and results follow each other without gaps.
template <class Real>
struct Product {
  struct Operand {
    const Real* at = nullptr;
    bool transposed = false;
  };
  Operand left;
  Operand right;
  Real* result = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t inner = 0;
  std::size_t count = 1;
  Real scale = 1;
  Into into = Into::replaces;
};

/// A layer normalisation: every row of the input is brought to mean 0 and variance 1, then scaled by `gain` and shifted
/// by `offset`. `mean` and `inverse_deviation` (one per row) are written forwards and read backwards.
template <class Real>
struct LayerNorm {
  const Real* input = nullptr;
  const Real* gain = nullptr;
  const Real* offset = nullptr;
  Real* mean = nullptr;
  Real* inverse_deviation = nullptr;
  Extent extent;

  static constexpr Real epsilon = Real(1e-5);
};

/// Where the gradients of a layer normalisation go: the input's are added or replaced, the parameters' replaced.
template <class Real>
struct LayerNormGradients {
  const Real* output = nullptr;
  Real* input = nullptr;
  Real* gain = nullptr;
  Real* offset = nullptr;
  Into into = Into::replaces;
};

/// Attention's two layouts: `parts` (query, key, value) of one token beside each other, as one product makes them
/// (batch, token, part, head, width), and each head's tokens together, as products per head want them
/// (part, batch, head, token, width).
struct HeadLayout {
  std::size_t batch = 0;
  std::size_t tokens = 0;
  std::size_t parts = 1;
  std::size_t heads = 0;
  std::size_t width = 0;
  [[nodiscard]] std::size_t size() const { return batch * tokens * parts * heads * width; }
};

/// One update by AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization"): the corrections are
/// 1 - beta^t of the t-th step.
template <class Real>
struct AdamW {
  Real rate = Real(1e-3);
  Real first_beta = Real(0.9);
  Real second_beta = Real(0.999);
  Real epsilon = Real(1e-8);
  Real decay = Real(0.01);
  Real first_correction = 1;
  Real second_correction = 1;
};

template <class Real>
struct AdamWPlaces {
  Real* parameters = nullptr;
  const Real* gradients = nullptr;
  Real* first_moments = nullptr;
  Real* second_moments = nullptr;
  std::size_t count = 0;
};

/// The operations a training step is made of, on numbers that lie where the implementation keeps them: pointers are
/// its own and nobody else reads through them. Operations are queued and run in order; what goes wrong in one shows in
/// finish(), download() or upload(). One thread.
template <class Real>
class Arithmetic {
 public:
  virtual ~Arithmetic() = default;

  /// Room for `count` numbers, which lives as long as this object. Not initialised.
  [[nodiscard]] virtual Result<Real*> reserve(std::size_t count) = 0;
  [[nodiscard]] virtual Result<void> upload(std::span<const Real> from, Real* to) = 0;
  [[nodiscard]] virtual Result<void> download(const Real* from, std::span<Real> to) = 0;
  /// Waits until all that was queued is done.
  [[nodiscard]] virtual Result<void> finish() = 0;

  virtual void clear(Real* numbers, std::size_t count) = 0;
  virtual void copy(const Real* from, Real* to, std::size_t count) = 0;
  virtual void multiply(const Product<Real>& product) = 0;
  /// To every row.
  virtual void add_bias(const Real* bias, Real* numbers, Extent extent) = 0;
  virtual void sum_columns(const Real* numbers, Extent extent, Real* sums) = 0;
  virtual void normalise(const LayerNorm<Real>& norm, Real* output) = 0;
  virtual void normalise_backwards(const LayerNorm<Real>& norm, const LayerNormGradients<Real>& gradients) = 0;
  /// Softmax of every row times `scale`, in place.
  virtual void softmax(Real* numbers, Extent extent, Real scale) = 0;
  /// In place, from the gradient of the softmax's result to that of its input.
  virtual void softmax_backwards(const Real* result, Real* gradients, Extent extent, Real scale) = 0;
  /// GELU with the error function, as BERT has it.
  virtual void gelu(const Real* input, Real* output, std::size_t count) = 0;
  /// In place, from the gradient of GELU's result to that of its input.
  virtual void gelu_backwards(const Real* input, Real* gradients, std::size_t count) = 0;
  virtual void split_heads(const Real* tokens, Real* heads, const HeadLayout& layout) = 0;
  virtual void join_heads(const Real* heads, Real* tokens, const HeadLayout& layout) = 0;
  /// Cross-entropy of every row's softmax against `targets` (probabilities that add up to 1). `logits` become the
  /// gradients of the mean loss, `losses` holds each row's.
  virtual void cross_entropy(const Real* targets, Real* logits, Extent extent, Real* losses) = 0;
  virtual void update(const AdamWPlaces<Real>& places, const AdamW<Real>& rule) = 0;
};

}  // namespace sweetspot
