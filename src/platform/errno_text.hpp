// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <system_error>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// "what: Invalid argument", with the errno kept. std::generic_category because strerror is not safe between threads.
[[nodiscard]] inline tl::unexpected<Error> errno_failure(const std::string& what, int code) {
  return failure(what + ": " + std::generic_category().message(code), code);
}

}  // namespace sweetspot
