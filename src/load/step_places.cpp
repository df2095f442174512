// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/step_places.hpp"

namespace sweetspot {

template <class Real>
StepParameters<Real> lay_out_parameters(Places<Real>& places, const TrainingShape& shape) {
  const std::size_t hidden = shape.hidden_size;
  const std::size_t wide = shape.feed_forward();
  StepParameters<Real> all;
  for (std::size_t i = 0; i < shape.layers; ++i) {
    LayerParameters<Real> layer;
    layer.attention_gain = places.take(hidden);
    layer.attention_offset = places.take(hidden);
    layer.attention_weights = places.take(hidden * 3 * hidden);
    layer.attention_bias = places.take(3 * hidden);
    layer.output_weights = places.take(hidden * hidden);
    layer.output_bias = places.take(hidden);
    layer.feed_gain = places.take(hidden);
    layer.feed_offset = places.take(hidden);
    layer.widen_weights = places.take(hidden * wide);
    layer.widen_bias = places.take(wide);
    layer.narrow_weights = places.take(wide * hidden);
    layer.narrow_bias = places.take(hidden);
    all.layers.push_back(layer);
  }
  all.last_gain = places.take(hidden);
  all.last_offset = places.take(hidden);
  all.class_weights = places.take(hidden * shape.classes);
  all.class_bias = places.take(shape.classes);
  return all;
}

template <class Real>
StepActivations<Real> lay_out_activations(Places<Real>& places, const TrainingShape& shape) {
  const std::size_t tokens = shape.tokens();
  const std::size_t hidden = tokens * shape.hidden_size;
  const std::size_t wide = tokens * shape.feed_forward();
  StepActivations<Real> all;
  for (std::size_t i = 0; i < shape.layers; ++i) {
    LayerActivations<Real> layer;
    layer.input = places.take(hidden);
    layer.mean = places.take(tokens);
    layer.inverse_deviation = places.take(tokens);
    layer.normalised = places.take(hidden);
    layer.heads = places.take(3 * hidden);
    layer.shares = places.take(shape.scores());
    layer.joined = places.take(hidden);
    layer.middle = places.take(hidden);
    layer.middle_mean = places.take(tokens);
    layer.middle_inverse_deviation = places.take(tokens);
    layer.middle_normalised = places.take(hidden);
    layer.widened = places.take(wide);
    layer.activated = places.take(wide);
    all.layers.push_back(layer);
  }
  all.output = places.take(hidden);
  all.mean = places.take(tokens);
  all.inverse_deviation = places.take(tokens);
  all.normalised = places.take(hidden);
  all.logits = places.take(tokens * shape.classes);
  all.targets = places.take(tokens * shape.classes);
  all.losses = places.take(tokens);
  all.gradient = places.take(hidden);
  all.scratch = places.take(3 * hidden);
  all.wide = places.take(wide);
  all.scores = places.take(shape.scores());
  return all;
}

std::size_t parameter_count(const TrainingShape& shape) {
  Places<float> counter(nullptr);
  static_cast<void>(lay_out_parameters(counter, shape));
  return counter.taken();
}

std::size_t number_count(const TrainingShape& shape) {
  Places<float> counter(nullptr);
  static_cast<void>(lay_out_activations(counter, shape));
  return 4 * parameter_count(shape) + counter.taken();
}

template StepParameters<float> lay_out_parameters(Places<float>&, const TrainingShape&);
template StepParameters<double> lay_out_parameters(Places<double>&, const TrainingShape&);
template StepActivations<float> lay_out_activations(Places<float>&, const TrainingShape&);
template StepActivations<double> lay_out_activations(Places<double>&, const TrainingShape&);

}  // namespace sweetspot
