// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// What the policies want to know of a model.
struct ModelShape {
  std::optional<std::string> model_type;
  std::int64_t layers = 0;  ///< transformer blocks run per forward pass; encoder plus decoder where there are both
  std::optional<std::int64_t> hidden_size;
  friend bool operator==(const ModelShape&, const ModelShape&) = default;
};

/// Reads a Hugging Face config.json, in the spellings of its model families: num_hidden_layers, n_layer, n_layers,
/// num_layers, num_transformer_layers, encoder_layers with decoder_layers (BART), num_layers with num_decoder_layers
/// (T5, where the second defaults to the first); hidden_size, n_embd, d_model, dim and more; nested in text_config and
/// the like for multimodal models, of which the text part counts. An error names the keys it looked for.
[[nodiscard]] Result<ModelShape> parse_model_config(std::string_view text);

}  // namespace sweetspot
