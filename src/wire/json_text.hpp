// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "sweetspot/core/clipped_text.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

using Json = nlohmann::json;

/// What is wrong in a JSON text, and where: "spec.layers", "nodes[3].threshold", or empty for the text as a whole.
struct JsonProblem {
  std::string place;
  std::string what;  ///< "expected a whole number, not true"
};
[[nodiscard]] Error to_error(JsonProblem problem);

/// The place of a field of an entry of a list: "nodes[3].threshold".
[[nodiscard]] inline std::string place_of(const char* list, std::size_t index, const char* field) {
  return std::string(list) + "[" + std::to_string(index) + "]." + field;
}

/// A place is made of such texts, and may have many of them.
inline constexpr std::size_t longest_place = 240;
/// Of an interface or a method, where a message repeats it; none that exists is that long.
inline constexpr std::size_t longest_name = 240;

struct JsonRules {
  bool comments = false;        ///< `//` and `/* */`
  std::size_t most_depth = 16;  ///< of objects and lists within each other
};

/// A text that is JSON, though perhaps not acceptable: `problem` is the first duplicate key, number that no double
/// holds or nesting that is too deep, none of which is in `root` (the last two) or only in its first form.
struct JsonText {
  Json root;
  std::optional<JsonProblem> problem;
};

/// Refused is what is no JSON (RFC 8259): syntax, NaN, bytes that are not UTF-8, lone surrogates, anything after the
/// value.
[[nodiscard]] tl::expected<JsonText, JsonProblem> read_json(std::string_view text, const JsonRules& rules = {});

/// The same, with every problem an error.
[[nodiscard]] Result<Json> read_clean_json(std::string_view text, const JsonRules& rules = {});

}  // namespace sweetspot
