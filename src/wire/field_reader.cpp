// SPDX-License-Identifier: Apache-2.0
#include "wire/field_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sweetspot/wire/date_text.hpp"

namespace sweetspot {
namespace {

std::string described(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "the text '" + clipped(json.get_ref<const std::string&>()) + "'";
    case Json::value_t::boolean:
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return json.dump();
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
  }
  return "something else";
}

}  // namespace

std::string Place::text() const {
  std::string before = parent == nullptr ? "" : parent->text();
  if (index) return before + "[" + std::to_string(*index) + "]";
  if (!before.empty() && !key.empty()) before += ".";
  return before + clipped(key);
}

JsonProblem unexpected_value(const Place& at, std::string_view expected, const Json& found) {
  return JsonProblem{at.text(), "expected " + std::string(expected) + ", not " + described(found)};
}

FieldProblem read_signed(const Json& json, const Place& at, std::int64_t lowest, std::int64_t highest,
                         std::int64_t& out) {
  const bool fits = json.is_number_unsigned() ? json.get<std::uint64_t>() <= static_cast<std::uint64_t>(highest)
                                              : json.is_number_integer() && json.get<std::int64_t>() >= lowest &&
                                                    json.get<std::int64_t>() <= highest;
  if (!fits)
    return unexpected_value(at, "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest),
                            json);
  out = json.get<std::int64_t>();
  return std::nullopt;
}

FieldProblem read_unsigned(const Json& json, const Place& at, std::uint64_t highest, std::uint64_t& out) {
  // A negative number is an integer, but not an unsigned one.
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > highest)
    return unexpected_value(at, "a whole number from 0 to " + std::to_string(highest), json);
  out = json.get<std::uint64_t>();
  return std::nullopt;
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, bool& out) {
  if (!json.is_boolean()) return unexpected_value(at, "true or false", json);
  out = json.get<bool>();
  return std::nullopt;
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, double& out) {
  if (!json.is_number()) return unexpected_value(at, "a number", json);
  out = json.get<double>();
  return std::nullopt;
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, std::string& out) {
  if (!json.is_string()) return unexpected_value(at, "a text", json);
  out = json.get_ref<const std::string&>();
  return std::nullopt;
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, Hertz& out) {
  // varlink's int is signed: what a client cannot say back is no clock either.
  return read_unsigned(json, at, std::numeric_limits<std::int64_t>::max(), out.value);
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, Watts& out) {
  return read(json, at, unknown, out.value);
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, Joules& out) {
  return read(json, at, unknown, out.value);
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, Duration& out) {
  constexpr double most_seconds = 9e9;  // 285 years: within 64 bits of nanoseconds
  if (!json.is_number() || !(std::abs(json.get<double>()) <= most_seconds))
    return unexpected_value(at, "a number of seconds", json);
  out = Duration(std::llround(json.get<double>() * 1e9));
  return std::nullopt;
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, std::chrono::system_clock::time_point& out) {
  if (!json.is_string()) return unexpected_value(at, "a date", json);
  const auto date = parse_rfc3339(json.get_ref<const std::string&>());
  if (!date) return JsonProblem{at.text(), date.error().message};
  out = *date;
  return std::nullopt;
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys, EndedBy& out) {
  for (const EndedBy way : {EndedBy::client, EndedBy::lost, EndedBy::expired, EndedBy::interrupted}) {
    if (json.is_string() && json.get_ref<const std::string&>() == name_of(way)) {
      out = way;
      return std::nullopt;
    }
  }
  return unexpected_value(at, "client, lost, expired or interrupted", json);
}

FieldProblem read(const Json& json, const Place& at, UnknownKeys unknown, std::map<std::string, std::string>& out) {
  if (!json.is_object()) return unexpected_value(at, "an object of texts", json);
  out.clear();
  for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
    if (auto problem = read(value, Place{&at, key}, unknown, out[key])) return problem;
  }
  return std::nullopt;
}

const Json* FieldReader::find(const char* name, bool may_be_absent) {
  if (problem_) return nullptr;
  names_.push_back(name);
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  if (!may_be_absent) problem_ = JsonProblem{Place{&at_, name}.text(), "is missing"};
  return nullptr;
}

FieldProblem FieldReader::finish() {
  if (problem_ || unknown_ == UnknownKeys::ignored) return std::move(problem_);
  for (const auto& [key, value] : object_.get_ref<const Json::object_t&>()) {
    const bool known =
        std::any_of(names_.begin(), names_.end(), [&key = key](const char* name) { return key == name; });
    if (known) continue;
    std::string all;
    for (const char* const name : names_) all += (all.empty() ? "" : ", ") + std::string(name);
    return JsonProblem{Place{&at_, key}.text(), "is not known here; known: " + (all.empty() ? "nothing" : all)};
  }
  return std::nullopt;
}

}  // namespace sweetspot
