// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweetspot/core/units.hpp"
#include "wire/fields.hpp"
#include "wire/json_text.hpp"

namespace sweetspot {

/// Where in a JSON value somebody is; a chain on the stack that becomes text only when something is wrong.
struct Place {
  const Place* parent = nullptr;
  std::string_view key{};
  std::optional<std::size_t> index{};
  [[nodiscard]] std::string text() const;
};

/// What to do with keys nobody asked for: replies of a newer daemon have some, calls must not.
enum class UnknownKeys { ignored, refused };

using FieldProblem = std::optional<JsonProblem>;

/// "expected a whole number, not true".
[[nodiscard]] JsonProblem unexpected_value(const Place& at, std::string_view expected, const Json& found);

// read(json, place, unknown keys, out): the reverse of write(). A problem, or nothing and `out` is set.

[[nodiscard]] FieldProblem read_signed(const Json& json, const Place& at, std::int64_t lowest, std::int64_t highest,
                                       std::int64_t& out);
[[nodiscard]] FieldProblem read_unsigned(const Json& json, const Place& at, std::uint64_t highest, std::uint64_t& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, bool& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, double& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, std::string& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, Hertz& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, Watts& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, Joules& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, Duration& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys,
                                std::chrono::system_clock::time_point& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, EndedBy& out);
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys,
                                std::map<std::string, std::string>& out);

template <std::signed_integral T>
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, T& out) {
  std::int64_t value = 0;
  auto problem = read_signed(json, at, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), value);
  if (!problem) out = static_cast<T>(value);
  return problem;
}

template <std::unsigned_integral T>
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys, T& out) {
  std::uint64_t value = 0;
  auto problem = read_unsigned(json, at, std::numeric_limits<T>::max(), value);
  if (!problem) out = static_cast<T>(value);
  return problem;
}

template <class T>
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, std::optional<T>& out);
template <class T>
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, std::vector<T>& out);
template <HasFields T>
[[nodiscard]] FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, T& out);

/// Takes the fields of one object, as visit_fields() names them. The first problem ends it.
class FieldReader {
 public:
  /// `object` and `at` outlive it.
  FieldReader(const Json& object, const Place& at, UnknownKeys unknown) : object_(object), at_(at), unknown_(unknown) {}

  template <class T>
  void operator()(const char* name, T& out) {
    if (const Json* const value = find(name, false)) problem_ = read(*value, Place{&at_, name}, unknown_, out);
  }
  template <class T>
  void operator()(const char* name, std::optional<T>& out) {
    if (const Json* const value = find(name, true)) problem_ = read(*value, Place{&at_, name}, unknown_, out);
  }
  void operator()(const char* name, std::map<std::string, std::string>& out) {
    const Json* const value = find(name, true);
    if (value != nullptr && !value->is_null()) problem_ = read(*value, Place{&at_, name}, unknown_, out);
  }

  /// The problem met, or a key that nobody asked for.
  [[nodiscard]] FieldProblem finish();

 private:
  const Json* find(const char* name, bool may_be_absent);

  const Json& object_;
  const Place& at_;
  UnknownKeys unknown_;
  std::vector<const char*> names_;
  FieldProblem problem_;
};

template <class T>
FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, std::optional<T>& out) {
  if (json.is_null()) {
    out.reset();
    return std::nullopt;
  }
  return read(json, at, unknown, out.emplace());
}

template <class T>
FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, std::vector<T>& out) {
  if (!json.is_array()) return unexpected_value(at, "a list", json);
  out.clear();
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (auto problem = read(json[i], Place{&at, {}, i}, unknown, out.emplace_back())) return problem;
  }
  return std::nullopt;
}

template <HasFields T>
FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, T& out) {
  if (!json.is_object()) return unexpected_value(at, "an object", json);
  FieldReader reader(json, at, unknown);
  visit_fields(out, reader);
  return reader.finish();
}

/// Reads a whole text as one struct.
template <class T>
[[nodiscard]] Result<T> read_struct(std::string_view text, UnknownKeys unknown, const JsonRules& rules = {}) {
  auto json = read_clean_json(text, rules);
  if (!json) return failure(std::move(json.error()));
  T out{};
  if (auto problem = read(*json, Place{}, unknown, out)) return failure(to_error(std::move(*problem)));
  return out;
}

}  // namespace sweetspot
