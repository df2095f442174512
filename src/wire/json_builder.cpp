// SPDX-License-Identifier: Apache-2.0
#include "wire/json_builder.hpp"

#include <utility>

namespace sweetspot {

bool JsonBuilder::number_float(number_float_t value, const string_t&) {
  return add(value);
}

bool JsonBuilder::binary(binary_t&) {
  return false;
}  // no such thing in JSON text

bool JsonBuilder::start_object(std::size_t) {
  return open(Json::value_t::object);
}

bool JsonBuilder::start_array(std::size_t) {
  return open(Json::value_t::array);
}

bool JsonBuilder::key(string_t& name) {
  if (skipped_ > 0) return true;
  Level& level = levels_.back();
  level.key = std::move(name);
  level.repeated = level.container->contains(level.key);
  if (level.repeated) note("the key stands here twice");
  return true;
}

bool JsonBuilder::parse_error(std::size_t position, const std::string& token,
                              const nlohmann::detail::exception& error) {
  constexpr int number_overflow = 406;
  if (error.id == number_overflow) {
    note("the number is too large");
    overflow_ = Token{position - token.size(), token.size()};
  } else {
    syntax_problem_ = JsonProblem{place(), "not JSON at byte " + std::to_string(position)};
  }
  return false;
}

bool JsonBuilder::add(Json value) {
  if (skipped_ == 0) put(std::move(value));
  return true;
}

// Null when the value goes nowhere: it is the second one of a repeated key.
Json* JsonBuilder::put(Json value) {
  if (levels_.empty()) {
    out_.root = std::move(value);
    return &out_.root;
  }
  Level& level = levels_.back();
  if (level.container->is_array()) {
    level.container->push_back(std::move(value));
    return &level.container->back();
  }
  if (level.repeated) return nullptr;
  Json& slot = (*level.container)[level.key];
  slot = std::move(value);
  return &slot;
}

bool JsonBuilder::open(Json::value_t kind) {
  if (skipped_ == 0 && levels_.size() >= most_depth_) {
    note("nested more than " + std::to_string(most_depth_) + " levels deep");
    ++skipped_;
    return true;
  }
  Json* const container = skipped_ == 0 ? put(Json(kind)) : nullptr;
  if (container != nullptr) {
    levels_.push_back(Level{container, {}, false});
  } else {
    ++skipped_;
  }
  return true;
}

bool JsonBuilder::close() {
  if (skipped_ > 0) {
    --skipped_;
  } else {
    levels_.pop_back();
  }
  return true;
}

void JsonBuilder::note(std::string what) {
  if (!out_.problem) out_.problem = JsonProblem{place(), std::move(what)};
}

std::string JsonBuilder::place() const {
  std::string text;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    if (level.container->is_array()) {
      const std::size_t done = level.container->size();
      text += "[" + std::to_string(i + 1 < levels_.size() ? done - 1 : done) + "]";
    } else if (!level.key.empty()) {
      text += (text.empty() ? "" : ".") + clipped(level.key);
    }
  }
  return clipped(text, longest_place);
}

}  // namespace sweetspot
