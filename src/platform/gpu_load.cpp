// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/gpu_load.hpp"

#include <array>
#include <cerrno>

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {

Result<LoadReader> LoadReader::open(const Attributes& board, const GpuNode& node) {
  if (!node.load_file) return failure(node.name + " has no load file", ENOENT);
  auto file = board.open(*node.load_file);
  if (!file) return tl::unexpected(file.error());
  return LoadReader(board, *node.load_file, std::move(*file));
}

Result<double> LoadReader::read() {
  std::array<char, 64> buffer;
  auto text = file_->read(buffer);
  if (!text && text.error().code == ENODEV) {
    // The driver was bound anew: same path, new file.
    auto again = board_->open(path_);
    if (!again) return tl::unexpected(again.error());
    file_ = std::move(*again);
    text = file_->read(buffer);
  }
  if (!text) return tl::unexpected(text.error());
  auto per_mille = parse_unsigned(*text);
  if (!per_mille) return failure(std::move(per_mille.error()).within("read " + path_));
  if (*per_mille > 1000)
    return failure("read " + path_ + ": " + std::string(*text) + " is above 1000 per mille", ERANGE);
  return static_cast<double>(*per_mille) / 10.0;
}

}  // namespace sweetspot
