// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// "what: Invalid argument", with the errno kept. std::generic_category because strerror is not safe between threads.
[[nodiscard]] inline tl::unexpected<Error> errno_failure(const std::string& what, int code) {
  return failure(what + ": " + std::generic_category().message(code), code);
}

/// Whether an error of an open attribute means that its device went away, or came back as another one.
[[nodiscard]] inline bool device_is_gone(int code) {
  return code == ENODEV || code == ENOENT || code == ENXIO;
}

}  // namespace sweetspot
