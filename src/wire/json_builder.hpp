// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "wire/json_text.hpp"

namespace sweetspot {

/// Builds the value in one pass over the text, and remembers the first problem that is no syntax error: so that the
/// rest of a bad call (who is called, is an answer wanted) is still known.
class JsonBuilder final : public nlohmann::json_sax<Json> {
 public:
  /// Fills `out`, which outlives it.
  JsonBuilder(JsonText& out, std::size_t most_depth) : out_(out), most_depth_(most_depth) {}

  /// Where in the text a number is that overflows: parsing stopped there.
  struct Token {
    std::size_t begin;
    std::size_t length;
  };
  [[nodiscard]] const std::optional<Token>& overflow() const { return overflow_; }
  [[nodiscard]] const std::optional<JsonProblem>& syntax_problem() const { return syntax_problem_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& text) override;
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override;
  bool start_object(std::size_t elements) override;
  bool start_array(std::size_t elements) override;
  bool key(string_t& name) override;
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override;

 private:
  /// A container that is open, and the key whose value comes next.
  struct Level {
    Json* container;
    std::string key;
    bool repeated = false;
  };
  bool add(Json value);
  Json* put(Json value);
  bool open(Json::value_t kind);
  bool close();
  void note(std::string what);
  [[nodiscard]] std::string place() const;

  JsonText& out_;
  std::size_t most_depth_;
  std::vector<Level> levels_;
  std::size_t skipped_ = 0;  ///< open containers that are not kept
  std::optional<Token> overflow_;
  std::optional<JsonProblem> syntax_problem_;
};

}  // namespace sweetspot
