// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/units.hpp"
#include "sweetspot/wire/date_text.hpp"
#include "wire/fields.hpp"
#include "wire/json_writer.hpp"

namespace sweetspot {

// write(out, value): each type of a field as it stands in JSON. Units become SI numbers, durations seconds, dates RFC
// 3339.

void write(JsonWriter& out, std::same_as<bool> auto value) {
  out.boolean(value);
}
void write(JsonWriter& out, std::signed_integral auto value) {
  out.integer(value);
}
inline void write(JsonWriter& out, std::uint32_t value) {
  out.natural(value);
}
inline void write(JsonWriter& out, std::uint64_t value) {
  out.natural(value);
}
inline void write(JsonWriter& out, double value) {
  out.real(value);
}
inline void write(JsonWriter& out, std::string_view value) {
  out.text(value);
}
inline void write(JsonWriter& out, Hertz value) {
  out.natural(value.value);
}
inline void write(JsonWriter& out, Watts value) {
  out.real(value.value);
}
inline void write(JsonWriter& out, Joules value) {
  out.real(value.value);
}
inline void write(JsonWriter& out, Duration value) {
  out.real(in_seconds(value));
}
inline void write(JsonWriter& out, std::chrono::system_clock::time_point value) {
  out.text(to_rfc3339(value));
}
inline void write(JsonWriter& out, EndedBy value) {
  out.text(name_of(value));
}

template <class T>
void write(JsonWriter& out, const std::optional<T>& value);
template <class T>
void write(JsonWriter& out, const std::vector<T>& values);
inline void write(JsonWriter& out, const std::map<std::string, std::string>& values);
template <HasFields T>
void write(JsonWriter& out, const T& value);

/// Writes every field; an empty one as null.
struct FieldWriter {
  JsonWriter& out;
  void operator()(std::string_view name, const auto& value) const {
    out.key(name);
    write(out, value);
  }
};

/// Writes the fields that are there, for what a person or another program put together.
struct PresentFieldWriter {
  JsonWriter& out;
  void operator()(const char* name, const auto& value) const { FieldWriter{out}(name, value); }
  template <class T>
  void operator()(const char* name, const std::optional<T>& value) const {
    if (value) FieldWriter{out}(name, *value);
  }
  void operator()(const char* name, const std::map<std::string, std::string>& value) const {
    if (!value.empty()) FieldWriter{out}(name, value);
  }
};

inline void write(JsonWriter& out, const JobSpec& spec) {
  out.begin_object();
  visit_fields(spec, PresentFieldWriter{out});
  out.end_object();
}

template <class T>
void write(JsonWriter& out, const std::optional<T>& value) {
  if (value) {
    write(out, *value);
  } else {
    out.null();
  }
}

template <class T>
void write(JsonWriter& out, const std::vector<T>& values) {
  out.begin_array();
  for (const T& value : values) write(out, value);
  out.end_array();
}

inline void write(JsonWriter& out, const std::map<std::string, std::string>& values) {
  out.begin_object();
  for (const auto& [key, value] : values) FieldWriter{out}(key, value);
  out.end_object();
}

template <HasFields T>
void write(JsonWriter& out, const T& value) {
  out.begin_object();
  visit_fields(value, FieldWriter{out});
  out.end_object();
}

}  // namespace sweetspot
