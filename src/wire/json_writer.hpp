// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sweetspot {

/// Appends JSON to a text, in the order it is called, without building a tree first: a status is written for every
/// caller that asks. The caller opens and closes in pairs. What is no number (NaN, infinity) becomes null; bytes that
/// are not UTF-8 become U+FFFD, so that the result always is JSON.
class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void null();
  void boolean(bool value);
  void integer(std::int64_t value);
  void natural(std::uint64_t value);
  /// Always with a point or an exponent, so that readers see a float.
  void real(double value);
  void text(std::string_view value);
  /// A value that is JSON already.
  void raw(std::string_view json);

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();
  void quote(std::string_view value);

  std::string out_;
  bool first_ = true;  ///< no value yet in the innermost container, or a key just written
};

}  // namespace sweetspot
