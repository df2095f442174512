// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens inside a layer, forwards and backwards: the second half of training_step.cpp, which alone includes it.

#include <cmath>

#include "sweetspot/load/training_step.hpp"

namespace sweetspot {

template <class Real>
void TrainingStep<Real>::dense(const Dense& layer, const Real* bias, Real* output, Into into) {
  arithmetic_->multiply({.left = {layer.input},
                         .right = {layer.weights},
                         .result = output,
                         .rows = shape_.tokens(),
                         .columns = layer.outputs,
                         .inner = layer.inputs,
                         .into = into});
  arithmetic_->add_bias(bias, output, {shape_.tokens(), layer.outputs});
}

template <class Real>
void TrainingStep<Real>::dense_backwards(const Dense& layer, const DenseGradients& gradients) {
  arithmetic_->multiply({.left = {layer.input, true},
                         .right = {gradients.output},
                         .result = gradients.weights,
                         .rows = layer.inputs,
                         .columns = layer.outputs,
                         .inner = shape_.tokens()});
  arithmetic_->sum_columns(gradients.output, {shape_.tokens(), layer.outputs}, gradients.bias);
  arithmetic_->multiply({.left = {gradients.output},
                         .right = {layer.weights, true},
                         .result = gradients.input,
                         .rows = shape_.tokens(),
                         .columns = layer.inputs,
                         .inner = layer.outputs});
}

template <class Real>
void TrainingStep<Real>::attend(std::size_t layer) {
  const auto& kept = activations_.layers[layer];
  const auto& learnt = parameters_.layers[layer];
  const std::size_t width = shape_.hidden_size;
  const std::size_t one_part = hidden().size();
  arithmetic_->normalise(attention_norm(layer), kept.normalised);
  dense({kept.normalised, learnt.attention_weights, width, 3 * width}, learnt.attention_bias, activations_.scratch);
  arithmetic_->split_heads(activations_.scratch, kept.heads, head_layout(3));

  const std::size_t tokens = shape_.sequence_length;
  const std::size_t each_head = shape_.batch_size * shape_.heads;
  const Real* const query = kept.heads;
  const Real* const key = query + one_part;
  const Real* const value = key + one_part;
  arithmetic_->multiply({.left = {query},
                         .right = {key, true},
                         .result = kept.shares,
                         .rows = tokens,
                         .columns = tokens,
                         .inner = shape_.head_width(),
                         .count = each_head});
  const Real scale = Real(1) / std::sqrt(static_cast<Real>(shape_.head_width()));
  arithmetic_->softmax(kept.shares, {each_head * tokens, tokens}, scale);
  arithmetic_->multiply({.left = {kept.shares},
                         .right = {value},
                         .result = activations_.scratch,
                         .rows = tokens,
                         .columns = shape_.head_width(),
                         .inner = tokens,
                         .count = each_head});
  arithmetic_->join_heads(activations_.scratch, kept.joined, head_layout(1));
  arithmetic_->copy(kept.input, kept.middle, hidden().size());
  dense({kept.joined, learnt.output_weights, width, width}, learnt.output_bias, kept.middle, Into::adds);
}

template <class Real>
void TrainingStep<Real>::feed_forward(std::size_t layer) {
  const auto& kept = activations_.layers[layer];
  const auto& learnt = parameters_.layers[layer];
  const std::size_t width = shape_.hidden_size;
  const std::size_t wide = shape_.feed_forward();
  Real* const output = layer + 1 < shape_.layers ? activations_.layers[layer + 1].input : activations_.output;
  arithmetic_->normalise(feed_norm(layer), kept.middle_normalised);
  dense({kept.middle_normalised, learnt.widen_weights, width, wide}, learnt.widen_bias, kept.widened);
  arithmetic_->gelu(kept.widened, kept.activated, shape_.tokens() * wide);
  arithmetic_->copy(kept.middle, output, hidden().size());
  dense({kept.activated, learnt.narrow_weights, wide, width}, learnt.narrow_bias, output, Into::adds);
}

template <class Real>
void TrainingStep<Real>::classify() {
  arithmetic_->normalise(last_norm(), activations_.normalised);
  dense({activations_.normalised, parameters_.class_weights, shape_.hidden_size, shape_.classes},
        parameters_.class_bias, activations_.logits);
  arithmetic_->cross_entropy(activations_.targets, activations_.logits, {shape_.tokens(), shape_.classes},
                             activations_.losses);
}

template <class Real>
void TrainingStep<Real>::classify_backwards() {
  dense_backwards({activations_.normalised, parameters_.class_weights, shape_.hidden_size, shape_.classes},
                  {.output = activations_.logits,
                   .weights = gradients_.class_weights,
                   .bias = gradients_.class_bias,
                   .input = activations_.scratch});
  arithmetic_->normalise_backwards(last_norm(), {.output = activations_.scratch,
                                                 .input = activations_.gradient,
                                                 .gain = gradients_.last_gain,
                                                 .offset = gradients_.last_offset});
}

template <class Real>
void TrainingStep<Real>::feed_forward_backwards(std::size_t layer) {
  const auto& kept = activations_.layers[layer];
  const auto& learnt = parameters_.layers[layer];
  const auto& wanted = gradients_.layers[layer];
  const std::size_t width = shape_.hidden_size;
  const std::size_t wide = shape_.feed_forward();
  dense_backwards({kept.activated, learnt.narrow_weights, wide, width}, {.output = activations_.gradient,
                                                                         .weights = wanted.narrow_weights,
                                                                         .bias = wanted.narrow_bias,
                                                                         .input = activations_.wide});
  arithmetic_->gelu_backwards(kept.widened, activations_.wide, shape_.tokens() * wide);
  dense_backwards({kept.middle_normalised, learnt.widen_weights, width, wide}, {.output = activations_.wide,
                                                                                .weights = wanted.widen_weights,
                                                                                .bias = wanted.widen_bias,
                                                                                .input = activations_.scratch});
  // The way past the layer carries the gradient on as it is.
  arithmetic_->normalise_backwards(feed_norm(layer), {.output = activations_.scratch,
                                                      .input = activations_.gradient,
                                                      .gain = wanted.feed_gain,
                                                      .offset = wanted.feed_offset,
                                                      .into = Into::adds});
}

template <class Real>
void TrainingStep<Real>::attend_backwards(std::size_t layer) {
  const auto& kept = activations_.layers[layer];
  const auto& learnt = parameters_.layers[layer];
  const auto& wanted = gradients_.layers[layer];
  const std::size_t width = shape_.hidden_size;
  dense_backwards({kept.joined, learnt.output_weights, width, width}, {.output = activations_.gradient,
                                                                       .weights = wanted.output_weights,
                                                                       .bias = wanted.output_bias,
                                                                       .input = activations_.scratch});
  attention_products_backwards(layer);
  dense_backwards({kept.normalised, learnt.attention_weights, width, 3 * width}, {.output = activations_.wide,
                                                                                  .weights = wanted.attention_weights,
                                                                                  .bias = wanted.attention_bias,
                                                                                  .input = activations_.scratch});
  arithmetic_->normalise_backwards(attention_norm(layer), {.output = activations_.scratch,
                                                           .input = activations_.gradient,
                                                           .gain = wanted.attention_gain,
                                                           .offset = wanted.attention_offset,
                                                           .into = Into::adds});
}

// From the gradient of the joined heads, in `scratch`, to that of query, key and value beside each other, in `wide`.
template <class Real>
void TrainingStep<Real>::attention_products_backwards(std::size_t layer) {
  const auto& kept = activations_.layers[layer];
  const std::size_t one_part = hidden().size();
  const std::size_t tokens = shape_.sequence_length;
  const std::size_t width = shape_.head_width();
  const std::size_t each_head = shape_.batch_size * shape_.heads;
  const Real* const query = kept.heads;
  const Real* const key = query + one_part;
  const Real* const value = key + one_part;
  Real* const of_heads = activations_.wide;
  Real* const of_query = activations_.scratch;
  Real* const of_key = of_query + one_part;
  Real* const of_value = of_key + one_part;
  Real* const of_scores = activations_.scores;
  const auto product = [&](auto left, auto right, Real* result, Extent extent, std::size_t inner) {
    arithmetic_->multiply({left, right, result, extent.rows, extent.columns, inner, each_head});
  };
  using Operand = typename Product<Real>::Operand;

  arithmetic_->split_heads(activations_.scratch, of_heads, head_layout(1));
  product(Operand{kept.shares, true}, Operand{of_heads}, of_value, {tokens, width}, tokens);
  product(Operand{of_heads}, Operand{value, true}, of_scores, {tokens, tokens}, width);
  const Real scale = Real(1) / std::sqrt(static_cast<Real>(width));
  arithmetic_->softmax_backwards(kept.shares, of_scores, {each_head * tokens, tokens}, scale);
  product(Operand{of_scores}, Operand{key}, of_query, {tokens, width}, tokens);
  product(Operand{of_scores, true}, Operand{query}, of_key, {tokens, width}, tokens);
  arithmetic_->join_heads(of_query, activations_.wide, head_layout(3));
}

}  // namespace sweetspot
