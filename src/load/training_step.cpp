// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/training_step.hpp"

#include <cmath>
#include <numeric>

#include "load/random_numbers.hpp"
#include "load/training_step_layers.hpp"

namespace sweetspot {

template <class Real>
Result<TrainingStep<Real>> TrainingStep<Real>::create(Arithmetic<Real>& arithmetic, const TrainingShape& shape,
                                                      std::uint64_t seed) {
  auto all = arithmetic.reserve(number_count(shape));
  if (!all) return failure(std::move(all.error()));
  TrainingStep step(arithmetic, shape, *all);
  if (auto filled = step.fill(seed); !filled) return failure(std::move(filled.error()));
  return step;
}

template <class Real>
TrainingStep<Real>::TrainingStep(Arithmetic<Real>& arithmetic, const TrainingShape& shape, Real* all)
    : arithmetic_(&arithmetic), shape_(shape), parameter_count_(parameter_count(shape)) {
  parameters_start_ = all;
  gradients_start_ = parameters_start_ + parameter_count_;
  first_moments_ = gradients_start_ + parameter_count_;
  second_moments_ = first_moments_ + parameter_count_;
  Places<Real> parameters(parameters_start_);
  parameters_ = lay_out_parameters(parameters, shape);
  Places<Real> gradients(gradients_start_);
  gradients_ = lay_out_parameters(gradients, shape);
  Places<Real> activations(second_moments_ + parameter_count_);
  activations_ = lay_out_activations(activations, shape);
}

template <class Real>
Result<void> TrainingStep<Real>::fill(std::uint64_t seed) {
  RandomNumbers random(seed);
  arithmetic_->clear(parameters_start_, parameter_count_);
  arithmetic_->clear(first_moments_, parameter_count_);
  arithmetic_->clear(second_moments_, parameter_count_);
  const std::size_t hidden = shape_.hidden_size;
  const std::size_t wide = shape_.feed_forward();
  Result<void> filled;
  const auto put = [&](Real* place, const std::vector<Real>& numbers) {
    if (filled) filled = arithmetic_->upload(numbers, place);
  };
  // Kept small as the layers add up: the variance of a product is the inputs' number times the weights'.
  const auto put_weights = [&](Real* place, std::size_t inputs, std::size_t outputs) {
    put(place, random.around_zero<Real>(inputs * outputs, std::sqrt(1.0 / static_cast<double>(inputs))));
  };
  const std::vector<Real> ones(hidden, Real(1));
  for (const auto& layer : parameters_.layers) {
    put(layer.attention_gain, ones);
    put_weights(layer.attention_weights, hidden, 3 * hidden);
    put_weights(layer.output_weights, hidden, hidden);
    put(layer.feed_gain, ones);
    put_weights(layer.widen_weights, hidden, wide);
    put_weights(layer.narrow_weights, wide, hidden);
  }
  put(parameters_.last_gain, ones);
  put_weights(parameters_.class_weights, hidden, shape_.classes);
  put(activations_.layers.front().input, random.around_zero<Real>(shape_.tokens() * hidden, 1.0));
  put(activations_.targets, random.one_of_each_row<Real>(shape_.tokens(), shape_.classes));
  return filled;
}

template <class Real>
LayerNorm<Real> TrainingStep<Real>::attention_norm(std::size_t layer) const {
  const auto& kept = activations_.layers[layer];
  const auto& learnt = parameters_.layers[layer];
  return {kept.input, learnt.attention_gain, learnt.attention_offset, kept.mean, kept.inverse_deviation, hidden()};
}

template <class Real>
LayerNorm<Real> TrainingStep<Real>::feed_norm(std::size_t layer) const {
  const auto& kept = activations_.layers[layer];
  const auto& learnt = parameters_.layers[layer];
  return {kept.middle, learnt.feed_gain, learnt.feed_offset, kept.middle_mean, kept.middle_inverse_deviation, hidden()};
}

template <class Real>
LayerNorm<Real> TrainingStep<Real>::last_norm() const {
  return {activations_.output, parameters_.last_gain,          parameters_.last_offset,
          activations_.mean,   activations_.inverse_deviation, hidden()};
}

template <class Real>
HeadLayout TrainingStep<Real>::head_layout(std::size_t parts) const {
  return {shape_.batch_size, shape_.sequence_length, parts, shape_.heads, shape_.head_width()};
}

template <class Real>
void TrainingStep<Real>::forward() {
  for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
    attend(layer);
    feed_forward(layer);
  }
  classify();
}

template <class Real>
void TrainingStep<Real>::backward() {
  classify_backwards();
  for (std::size_t layer = shape_.layers; layer-- > 0;) {
    feed_forward_backwards(layer);
    attend_backwards(layer);
  }
}

template <class Real>
void TrainingStep<Real>::update(AdamW<Real> rule) {
  ++updates_;
  const auto count = static_cast<double>(updates_);
  rule.first_correction = static_cast<Real>(1 - std::pow(static_cast<double>(rule.first_beta), count));
  rule.second_correction = static_cast<Real>(1 - std::pow(static_cast<double>(rule.second_beta), count));
  arithmetic_->update({.parameters = parameters_start_,
                       .gradients = gradients_start_,
                       .first_moments = first_moments_,
                       .second_moments = second_moments_,
                       .count = parameter_count_},
                      rule);
}

template <class Real>
Result<double> TrainingStep<Real>::loss() const {
  std::vector<Real> losses(shape_.tokens());
  if (auto got = arithmetic_->download(activations_.losses, losses); !got) return failure(std::move(got.error()));
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

template <class Real>
Result<std::vector<Real>> TrainingStep<Real>::parameters() const {
  std::vector<Real> all(parameter_count_);
  if (auto got = arithmetic_->download(parameters_start_, all); !got) return failure(std::move(got.error()));
  return all;
}

template <class Real>
Result<void> TrainingStep<Real>::set_parameters(std::span<const Real> parameters) {
  return arithmetic_->upload(parameters.first(parameter_count_), parameters_start_);
}

template <class Real>
Result<std::vector<Real>> TrainingStep<Real>::gradients() const {
  std::vector<Real> all(parameter_count_);
  if (auto got = arithmetic_->download(gradients_start_, all); !got) return failure(std::move(got.error()));
  return all;
}

template class TrainingStep<float>;
template class TrainingStep<double>;

}  // namespace sweetspot
