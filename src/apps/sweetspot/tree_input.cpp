// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/tree_input.hpp"

#include "apps/sweetspot/whole_file.hpp"

namespace sweetspot {

Result<TreeFile> read_tree_file(const std::string& path) {
  constexpr std::size_t most_bytes = 1024 * 1024;
  const auto text = whole_file(path, most_bytes);
  if (!text) return failure(text.error());
  auto file = parse_tree_file(*text);
  if (!file) return failure(std::move(file.error()).within(path));
  return file;
}

}  // namespace sweetspot
