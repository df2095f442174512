// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sweetspot/wire/client_messages.hpp"

namespace sweetspot {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A word of Words is a name or a mark, whole.
bool is_name(std::string_view word) {
  return !word.empty() && is_name_character(word[0]);
}

/// Takes words and marks from an interface description, skipping space and comments.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// A name, or one character of punctuation; empty at the end.
  std::string_view next() {
    skip_space_and_comments();
    std::size_t length = 0;
    while (length < rest_.size() && is_name_character(rest_[length])) ++length;
    if (length == 0 && !rest_.empty()) length = 1;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

 private:
  void skip_space_and_comments() {
    while (!rest_.empty()) {
      if (rest_[0] == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r') {
        rest_.remove_prefix(1);
      } else {
        return;
      }
    }
  }
  std::string_view rest_;
};

}  // namespace

std::vector<std::string> known_fields(std::string_view description, std::string_view type) {
  Words words(description);
  std::string_view before;
  std::string_view word = words.next();
  while (!word.empty() && !(before == "type" && word == type)) {
    before = word;
    word = words.next();
  }
  std::vector<std::string> fields;
  if (word.empty()) return fields;
  word = words.next();
  for (std::size_t depth = word == "(" ? 1 : 0; depth > 0 && !word.empty();) {
    before = word;
    word = words.next();
    if (word == "(") ++depth;
    if (word == ")") --depth;
    if (word == ":" && depth == 1 && is_name(before)) fields.emplace_back(before);
  }
  return fields;
}

}  // namespace sweetspot
