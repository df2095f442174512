// SPDX-License-Identifier: Apache-2.0
#include "wire/json_text.hpp"

#include <utility>

#include "wire/json_builder.hpp"

namespace sweetspot {

Error to_error(JsonProblem problem) {
  if (problem.place.empty()) return Error{std::move(problem.what)};
  return Error{std::move(problem.place) + ": " + std::move(problem.what)};
}

tl::expected<JsonText, JsonProblem> read_json(std::string_view text, const JsonRules& rules) {
  // The library takes a NUL for the end of its input.
  if (text.find('\0') != std::string_view::npos) return tl::make_unexpected(JsonProblem{"", "not JSON: a NUL byte"});
  // Each number that overflows ends a pass; it is blanked and the text read again. One with more of them is not worth
  // it.
  constexpr int most_passes = 4;
  std::string blanked;
  std::optional<JsonProblem> first_problem;
  for (int pass = 0; pass < most_passes; ++pass) {
    JsonText result;
    JsonBuilder builder(result, rules.most_depth);
    const bool read =
        Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, true, rules.comments);
    if (!first_problem) first_problem = std::move(result.problem);
    if (read) {
      result.problem = std::move(first_problem);
      return result;
    }
    if (builder.syntax_problem()) return tl::make_unexpected(*builder.syntax_problem());
    const JsonBuilder::Token token = *builder.overflow();
    if (blanked.empty()) blanked = text;
    blanked.replace(token.begin, token.length, token.length, '0');
    if (token.length > 1) blanked.replace(token.begin + 1, token.length - 1, token.length - 1, ' ');
    text = blanked;
  }
  return tl::make_unexpected(JsonProblem{"", "too many numbers that are too large"});
}

Result<Json> read_clean_json(std::string_view text, const JsonRules& rules) {
  auto read = read_json(text, rules);
  if (!read) return failure(to_error(std::move(read.error())));
  if (read->problem) return failure(to_error(std::move(*read->problem)));
  return std::move(read->root);
}

}  // namespace sweetspot
