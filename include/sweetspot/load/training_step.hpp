// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sweetspot/load/arithmetic.hpp"
#include "sweetspot/load/step_places.hpp"
#include "sweetspot/load/training_shape.hpp"

namespace sweetspot {

/// One training after the other on the same made-up batch: forward, backward and an update by AdamW, in the order in
/// which any transformer does it. The batch is random vectors (there is no embedding table), the classes to learn are
/// random too. Same shape and seed: same numbers. Exists for float and double. The arithmetic outlives it.
template <class Real>
class TrainingStep {
 public:
  /// Reserves all memory, writes the first parameters and the batch. The shape is a good one (problem_in).
  [[nodiscard]] static Result<TrainingStep> create(Arithmetic<Real>& arithmetic, const TrainingShape& shape,
                                                   std::uint64_t seed);

  /// All three are queued (Arithmetic): forward leaves losses and activations, backward the gradients.
  void forward();
  void backward();
  void update(AdamW<Real> rule = {});

  /// Mean over tokens, of the last forward(). Waits for it.
  [[nodiscard]] Result<double> loss() const;
  [[nodiscard]] Result<std::vector<Real>> parameters() const;
  [[nodiscard]] Result<void> set_parameters(std::span<const Real> parameters);
  /// In the order of the parameters.
  [[nodiscard]] Result<std::vector<Real>> gradients() const;

 private:
  TrainingStep(Arithmetic<Real>& arithmetic, const TrainingShape& shape, Real* all);
  [[nodiscard]] Result<void> fill(std::uint64_t seed);
  [[nodiscard]] Extent hidden() const { return {shape_.tokens(), shape_.hidden_size}; }
  [[nodiscard]] LayerNorm<Real> attention_norm(std::size_t layer) const;
  [[nodiscard]] LayerNorm<Real> feed_norm(std::size_t layer) const;
  [[nodiscard]] LayerNorm<Real> last_norm() const;
  [[nodiscard]] HeadLayout head_layout(std::size_t parts) const;
  void attend(std::size_t layer);
  void feed_forward(std::size_t layer);
  void classify();
  void classify_backwards();
  void feed_forward_backwards(std::size_t layer);
  void attend_backwards(std::size_t layer);
  void attention_products_backwards(std::size_t layer);

  /// A dense layer of the model: output = input · weights + bias. The bias may be a gradient's place.
  struct Dense {
    const Real* input = nullptr;
    const Real* weights = nullptr;
    std::size_t inputs = 0;
    std::size_t outputs = 0;
  };
  void dense(const Dense& layer, const Real* bias, Real* output, Into into = Into::replaces);
  /// From the output's gradient to those of weights, bias and input.
  struct DenseGradients {
    const Real* output = nullptr;
    Real* weights = nullptr;
    Real* bias = nullptr;
    Real* input = nullptr;
  };
  void dense_backwards(const Dense& layer, const DenseGradients& gradients);

  Arithmetic<Real>* arithmetic_;
  TrainingShape shape_;
  std::size_t parameter_count_ = 0;
  Real* parameters_start_ = nullptr;
  Real* gradients_start_ = nullptr;
  Real* first_moments_ = nullptr;
  Real* second_moments_ = nullptr;
  StepParameters<Real> parameters_;
  StepParameters<Real> gradients_;
  StepActivations<Real> activations_;
  std::int64_t updates_ = 0;
};

}  // namespace sweetspot
