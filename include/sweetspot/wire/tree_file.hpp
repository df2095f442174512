// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/decision_tree.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A decision tree with where it comes from.
struct TreeFile {
  DecisionTree tree;
  std::string source;      ///< paper, data set, fit: for people
  std::string board = {};  ///< that the clocks were measured on, for example "agx-orin-64"; empty: not said
  std::vector<std::string> rails = {};  ///< whose joules it makes least; empty: not said
  std::string data_hash = {};           ///< data_hash() of the file of curves; empty: not said
  friend bool operator==(const TreeFile&, const TreeFile&) = default;
};

/// Reads a tree file (format "sweetspot-tree", version 1; docs/tree-file.md). Errors name the place, for example
/// "nodes[3].threshold". Takes any bytes: loops, missing nodes, huge files and odd numbers are refused.
[[nodiscard]] Result<TreeFile> parse_tree_file(std::string_view text);
/// Writes one, for people to read: one line per node.
[[nodiscard]] std::string tree_file_text(const TreeFile& file);

}  // namespace sweetspot
