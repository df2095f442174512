// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/training_shape.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace sweetspot {

namespace {

constexpr std::size_t most = std::numeric_limits<int>::max();

bool fits(std::initializer_list<std::size_t> factors) {
  std::size_t product = 1;
  return std::all_of(factors.begin(), factors.end(), [&](std::size_t factor) {
    if (factor > most / product) return false;
    product *= factor;
    return true;
  });
}

}  // namespace

std::optional<std::string> problem_in(const TrainingShape& shape) {
  if (shape.layers == 0 || shape.hidden_size == 0 || shape.heads == 0 || shape.batch_size == 0 ||
      shape.sequence_length == 0) {
    return "layers, hidden size, heads, batch size and sequence length are 1 at least";
  }
  if (shape.classes < 2) return "there are 2 classes at least";
  if (shape.hidden_size % shape.heads != 0) {
    return "a hidden size of " + std::to_string(shape.hidden_size) + " cannot be shared among " +
           std::to_string(shape.heads) + " heads";
  }
  const bool small = shape.layers <= 10'000 && fits({4, shape.hidden_size, shape.hidden_size}) &&
                     fits({shape.hidden_size, shape.classes}) &&
                     fits({4, shape.batch_size, shape.sequence_length, shape.hidden_size}) &&
                     fits({shape.batch_size, shape.sequence_length, shape.classes}) &&
                     fits({shape.batch_size, shape.heads, shape.sequence_length, shape.sequence_length});
  if (!small) return "that is too large: no tensor may have more than 2147483647 numbers, and no model 10000 layers";
  return std::nullopt;
}

}  // namespace sweetspot
