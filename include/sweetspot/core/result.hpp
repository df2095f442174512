// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace sweetspot {

/// What the world refused, in a sentence an operator can act on. `code` is the errno behind it, 0 where there is none.
struct Error {
  std::string message;
  int code = 0;

  /// The same error seen from one level up: "context: message". The code stays.
  [[nodiscard]] Error within(const std::string& context) && { return Error{context + ": " + std::move(message), code}; }
  friend bool operator==(const Error&, const Error&) = default;
};

/// Every operation that can be refused returns one. Test it with `if (!result)`, take the value with `*result`, pass
/// the refusal on with `return failure(std::move(result.error()).within("…"))`. Bugs are not results: they abort.
template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> failure(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
[[nodiscard]] inline tl::unexpected<Error> failure(std::string message, int code = 0) {
  return tl::unexpected<Error>(Error{std::move(message), code});
}

}  // namespace sweetspot
