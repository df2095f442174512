// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"

// libFuzzer's entry point, which each target in this folder defines once: one run with these bytes. Always 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace sweetspot::fuzz {

[[noreturn]] void broken(const char* promise);

/// What a target promises for every input. A promise that does not hold ends the process, which the fuzzer and the
/// replay report together with the input.
inline void require(bool holds, const char* promise) {
  if (!holds) broken(promise);
}

[[nodiscard]] inline std::string_view as_text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// Well-formed UTF-8: no overlong forms, no surrogates.
[[nodiscard]] bool is_utf8(std::string_view text);

/// No byte that a terminal would obey: neither C0, DEL nor C1.
[[nodiscard]] bool is_quiet(std::string_view text);

/// What is wrong, in UTF-8 and not longer than people read.
void require_good_error(const Error& error, std::size_t most_bytes = 2048);

/// A varlink message that the daemon sends: one NUL, at its end, and UTF-8 before it. Returns it without the NUL.
std::string_view require_message(std::string_view message);

/// Takes single bytes off the front of an input, for choices; 0 once there are none.
class Choices {
 public:
  explicit Choices(std::string_view input) : rest_(input) {}
  std::uint8_t next() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace sweetspot::fuzz
