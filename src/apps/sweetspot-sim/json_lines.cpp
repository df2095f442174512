// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-sim/json_lines.hpp"

namespace sweetspot {

namespace {

std::string joined(const std::vector<std::string>& values, std::string_view separator) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? std::string() : std::string(separator)) + value;
  return text;
}

}  // namespace

// Texts of this program hold no control characters.
std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string json_array(const std::vector<std::string>& values) {
  return "[" + joined(values, ", ") + "]";
}

std::string json_object(const std::vector<std::pair<std::string, std::string>>& members) {
  std::vector<std::string> texts;
  texts.reserve(members.size());
  for (const auto& [name, value] : members) texts.push_back(json_string(name) + ": " + value);
  return "{" + joined(texts, ", ") + "}";
}

std::string json_document(const std::vector<std::string>& values) {
  return "[\n  " + joined(values, ",\n  ") + "\n]\n";
}

}  // namespace sweetspot
