// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/model_config.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "wire/json_text.hpp"

namespace sweetspot {
namespace {

using Count = std::optional<std::int64_t>;

// In the order of preference: some configurations repeat one number under several names.
constexpr std::array layer_keys{"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"};
constexpr std::array encoder_keys{"encoder_layers", "num_encoder_layers", "num_layers"};
constexpr std::array decoder_keys{"decoder_layers", "num_decoder_layers"};
constexpr std::array width_keys{"hidden_size", "n_embd", "d_model", "dim", "emb_dim", "n_embed", "model_dim"};
// Where a multimodal model keeps its text part.
constexpr std::array text_parts{"text_config", "llm_config", "language_config", "thinker_config"};

/// The first of these keys that holds a whole number from 1 to a million.
Count count_at(const Json& config, std::span<const char* const> keys) {
  for (const char* const key : keys) {
    const auto found = config.find(key);
    if (found == config.end() || !found->is_number_unsigned()) continue;
    const auto value = found->get<std::uint64_t>();
    if (value >= 1 && value <= 1'000'000) return static_cast<std::int64_t>(value);
  }
  return std::nullopt;
}

bool flag_at(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_boolean() && found->get<bool>();
}

const Json* object_at(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_object() ? &*found : nullptr;
}

Count layers_of(const Json& config) {
  const bool only_half = config.contains("is_encoder_decoder") && !flag_at(config, "is_encoder_decoder");
  const Count encoder = count_at(config, encoder_keys);
  const Count decoder = count_at(config, decoder_keys);
  if (!only_half && encoder && decoder) return *encoder + *decoder;
  if (flag_at(config, "is_encoder_decoder") && encoder)
    return 2 * *encoder;  // T5's decoder is as deep unless it says so
  if (const Count layers = count_at(config, layer_keys)) return layers;
  return encoder ? encoder : decoder;
}

ModelShape shape_of(const Json& config);

/// A model put together from two: layers of both, width of the first.
ModelShape pair_shape(const Json& encoder, const Json& decoder) {
  ModelShape shape = shape_of(encoder);
  const ModelShape other = shape_of(decoder);
  shape.layers = shape.layers > 0 && other.layers > 0 ? shape.layers + other.layers : 0;
  return shape;
}

/// Zero layers: not found.
ModelShape shape_of(const Json& config) {
  ModelShape shape;
  for (const char* const part : text_parts) {
    const Json* const text = object_at(config, part);
    if (text != nullptr && shape.layers == 0) shape = shape_of(*text);
  }
  const Json* const encoder = object_at(config, "encoder");
  const Json* const decoder = object_at(config, "decoder");
  if (shape.layers == 0 && encoder != nullptr && decoder != nullptr) shape = pair_shape(*encoder, *decoder);
  if (shape.layers == 0) shape.layers = layers_of(config).value_or(0);
  if (!shape.hidden_size) shape.hidden_size = count_at(config, width_keys);
  const auto type = config.find("model_type");
  if (type != config.end() && type->is_string()) shape.model_type = type->get<std::string>();
  return shape;
}

/// Python writes NaN and Infinity into JSON where they are none (Mamba's time_step_limit); none of them is a size.
std::string without_python_numbers(std::string_view text) {
  constexpr std::array<std::string_view, 3> words{"-Infinity", "Infinity", "NaN"};
  std::string result;
  result.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    const auto starts_here = [&](std::string_view word) { return text.substr(i).starts_with(word); };
    const auto word = in_string ? words.end() : std::find_if(words.begin(), words.end(), starts_here);
    if (word != words.end()) {
      result += "null";
      i += word->size();
      continue;
    }
    if (text[i] == '"') in_string = !in_string;
    const std::size_t length = in_string && text[i] == '\\' ? 2 : 1;
    result += text.substr(i, length);
    i += length;
  }
  return result;
}

std::string listed(std::span<const char* const> keys) {
  std::string text;
  for (const char* const key : keys) text += (text.empty() ? "" : ", ") + std::string(key);
  return text;
}

}  // namespace

Result<ModelShape> parse_model_config(std::string_view text) {
  constexpr std::size_t most_bytes = 4 * 1024 * 1024;  // the largest published ones (label maps) have some 100 KiB
  if (text.size() > most_bytes) return failure("larger than 4 MiB; expected a model's config.json");
  const auto json = read_json(without_python_numbers(text), JsonRules{.most_depth = 32});
  if (!json) return failure(to_error(json.error()));
  if (!json->root.is_object()) return failure("not a JSON object; expected a model's config.json");
  ModelShape shape = shape_of(json->root);
  if (shape.layers == 0)
    return failure("no number of layers; looked for " + listed(layer_keys) + ", " + listed(encoder_keys) + " with " +
                   listed(decoder_keys) + ", also in " + listed(text_parts));
  return shape;
}

}  // namespace sweetspot
