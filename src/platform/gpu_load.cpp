// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/gpu_load.hpp"

#include <cerrno>

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {

Result<LoadReader> LoadReader::open(const Attributes& board, const GpuNode& node) {
  if (!node.load_file) return failure(node.name + " has no load file", ENOENT);
  return LoadReader(KeptAttribute(board, *node.load_file));
}

Result<double> LoadReader::read() {
  const auto per_mille = read_unsigned(file_);
  if (!per_mille) return tl::unexpected(per_mille.error());
  if (*per_mille > 1000)
    return failure("read " + file_.path() + ": " + std::to_string(*per_mille) + " is above 1000 per mille", ERANGE);
  return static_cast<double>(*per_mille) / 10.0;
}

}  // namespace sweetspot
