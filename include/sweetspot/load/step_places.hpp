// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sweetspot/load/training_shape.hpp"

namespace sweetspot {

/// Hands out one reservation piece by piece. Without a start it only counts.
template <class Real>
class Places {
 public:
  explicit Places(Real* start) : start_(start) {}
  Real* take(std::size_t count) {
    Real* const at = start_ == nullptr ? nullptr : start_ + taken_;
    taken_ += count;
    return at;
  }
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  Real* start_;
  std::size_t taken_ = 0;
};

/// What one layer learns; the same places hold its gradients. Weights are (inputs × outputs).
template <class Real>
struct LayerParameters {
  Real* attention_gain = nullptr;
  Real* attention_offset = nullptr;
  Real* attention_weights = nullptr;  // to query, key and value of all heads
  Real* attention_bias = nullptr;
  Real* output_weights = nullptr;
  Real* output_bias = nullptr;
  Real* feed_gain = nullptr;
  Real* feed_offset = nullptr;
  Real* widen_weights = nullptr;
  Real* widen_bias = nullptr;
  Real* narrow_weights = nullptr;
  Real* narrow_bias = nullptr;
};

template <class Real>
struct StepParameters {
  std::vector<LayerParameters<Real>> layers;
  Real* last_gain = nullptr;
  Real* last_offset = nullptr;
  Real* class_weights = nullptr;
  Real* class_bias = nullptr;
};

/// What one layer keeps from forwards for backwards.
template <class Real>
struct LayerActivations {
  Real* input = nullptr;
  Real* mean = nullptr;
  Real* inverse_deviation = nullptr;
  Real* normalised = nullptr;
  Real* heads = nullptr;   // query, key, value
  Real* shares = nullptr;  // of attention
  Real* joined = nullptr;
  Real* middle = nullptr;  // after attention
  Real* middle_mean = nullptr;
  Real* middle_inverse_deviation = nullptr;
  Real* middle_normalised = nullptr;
  Real* widened = nullptr;
  Real* activated = nullptr;
};

template <class Real>
struct StepActivations {
  std::vector<LayerActivations<Real>> layers;
  Real* output = nullptr;  // of the last layer
  Real* mean = nullptr;
  Real* inverse_deviation = nullptr;
  Real* normalised = nullptr;
  Real* logits = nullptr;  // later their gradients
  Real* targets = nullptr;
  Real* losses = nullptr;
  Real* gradient = nullptr;  // of what passes between layers
  Real* scratch = nullptr;   // three times as wide as the gradient
  Real* wide = nullptr;      // as wide as the feed-forward part
  Real* scores = nullptr;    // as large as one layer's shares
};

template <class Real>
[[nodiscard]] StepParameters<Real> lay_out_parameters(Places<Real>& places, const TrainingShape& shape);
template <class Real>
[[nodiscard]] StepActivations<Real> lay_out_activations(Places<Real>& places, const TrainingShape& shape);

}  // namespace sweetspot
