// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweetspot::bench {

/// One figure of the daemon. What is compared with a bare baseline is judged by the ratio, all else by itself.
struct Row {
  std::string what;
  std::string unit;
  double daemon = 0;
  std::optional<double> bare;  ///< the same work without the daemon, measured in the same run
  std::optional<double> aim;   ///< at most: of the ratio, where there is a baseline
};

/// The rows, aligned, each with its aim and whether it was reached, and a last line that counts the aims.
[[nodiscard]] std::string table_of(const std::vector<Row>& rows);

}  // namespace sweetspot::bench
