// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sweetspot {

/// How a child process ended.
struct Ending {
  int status = -1;  ///< exit status; -1 when it died of a signal
  int signal = 0;
  std::string output;  ///< stdout and stderr
};

/// Runs a program to its end, optionally as another user (root only).
[[nodiscard]] Ending run_child(const std::vector<std::string>& words, std::optional<uid_t> user = {});

}  // namespace sweetspot
