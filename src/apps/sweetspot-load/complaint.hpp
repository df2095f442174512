// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iostream>
#include <string>

namespace sweetspot {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr int exit_no_gpu = 3;

/// Says why the program ends with this status.
inline int complain(const std::string& message, int status) {
  std::cerr << "sweetspot-load: " << message << "\n";
  return status;
}

}  // namespace sweetspot
