// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/decision_tree.hpp"
#include "sweetspot/wire/fit_json.hpp"

namespace sweetspot {

/// A tree in words, one question or clock a line, deeper ones further in.
[[nodiscard]] std::string tree_outline(const DecisionTree& tree);

/// A fit for people: the tree, how good it is, which clocks it takes for which, and what that costs each workload.
[[nodiscard]] std::string fit_text(const FitReport& report, const DecisionTree& tree);

}  // namespace sweetspot
