// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sweetspot {

/// The model and the batch of the stand-in training: a transformer of encoder layers (normalisation before attention
/// and before the feed-forward part, GELU, feed-forward width of four times the hidden size), whose every token is
/// classified. The defaults are BERT-base's, with sentences of 128 tokens.
struct TrainingShape {
  std::size_t layers = 12;
  std::size_t hidden_size = 768;
  std::size_t heads = 12;
  std::size_t batch_size = 8;
  std::size_t sequence_length = 128;
  std::size_t classes = 32;

  [[nodiscard]] std::size_t tokens() const { return batch_size * sequence_length; }
  [[nodiscard]] std::size_t feed_forward() const { return 4 * hidden_size; }
  [[nodiscard]] std::size_t head_width() const { return hidden_size / heads; }
  [[nodiscard]] std::size_t scores() const { return batch_size * heads * sequence_length * sequence_length; }
};

/// Why no step can have this shape, in words; empty when it can. The bounds are ours: every count fits 31 bits, as
/// cuBLAS takes them.
[[nodiscard]] std::optional<std::string> problem_in(const TrainingShape& shape);

/// Numbers that training learns.
[[nodiscard]] std::size_t parameter_count(const TrainingShape& shape);
/// Numbers that a step keeps in all: parameters, their gradients and AdamW's two moments, activations, scratch.
[[nodiscard]] std::size_t number_count(const TrainingShape& shape);

}  // namespace sweetspot
