// SPDX-License-Identifier: Apache-2.0
#include "wire/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "wire/json_text.hpp"

namespace sweetspot {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\';
}

template <class T>
void append_number(std::string& out, T value) {
  std::array<char, 32> digits{};  // the longest shortest double has 24 characters
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  out_ += ':';
  first_ = true;
}

void JsonWriter::null() {
  raw("null");
}

void JsonWriter::boolean(bool value) {
  raw(value ? "true" : "false");
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  append_number(out_, value);
}

void JsonWriter::natural(std::uint64_t value) {
  separate();
  append_number(out_, value);
}

void JsonWriter::real(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  const std::size_t begin = out_.size();
  append_number(out_, value);
  if (out_.find_first_of(".e", begin) == std::string::npos) out_ += ".0";
}

void JsonWriter::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

void JsonWriter::quote(std::string_view value) {
  if (std::all_of(value.begin(), value.end(), is_plain)) {
    out_ += '"';
    out_ += value;
    out_ += '"';
    return;
  }
  out_ += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sweetspot
