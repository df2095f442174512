// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sweetspot {

/// What `sweetspot-sim boards` and `workloads` print: columns for people, or one JSON array.
[[nodiscard]] std::string board_list();
[[nodiscard]] std::string board_list_json();
[[nodiscard]] std::string workload_list();
[[nodiscard]] std::string workload_list_json();

}  // namespace sweetspot
