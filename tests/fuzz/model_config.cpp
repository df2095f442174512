// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/model_config.hpp"

#include "tests/fuzz/properties.hpp"

// A model's config.json, downloaded from somewhere.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const auto shape = parse_model_config(as_text(bytes, size));
  if (!shape) {
    require_good_error(shape.error());
    return 0;
  }
  // Each part has at most a million, and a part takes some bytes.
  require(shape->layers >= 1 && shape->layers <= 1'000'000 * static_cast<std::int64_t>(size), "layers are counted");
  require(shape->hidden_size.value_or(1) >= 1 && shape->hidden_size.value_or(1) <= 1'000'000, "a width is one");
  require(!shape->model_type || is_utf8(*shape->model_type), "a type is UTF-8");
  return 0;
}
