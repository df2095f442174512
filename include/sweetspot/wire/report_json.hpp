// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace sweetspot {

/// What `sweetspot report` wrote.
struct ReportWritten {
  std::string output;
  std::size_t bytes = 0;
  std::size_t workloads = 0;
  std::size_t workloads_drawn = 0;  ///< of them; the others are in tables
  std::size_t trees = 0;
  std::size_t jobs = 0;
  bool service = false;  ///< a service described the board
};

[[nodiscard]] std::string report_json(const ReportWritten& report);

}  // namespace sweetspot
