// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// One attribute read again and again, through a file that is opened at the first read and stays open: the kernel
/// gives the value anew at every read. When the device behind the open file went away, its path is opened once more and
/// read: whatever lies there now is what a read by path would have found. One thread at a time; `board` outlives it.
class KeptAttribute {
 public:
  KeptAttribute(const Attributes& board, std::string path) : board_(&board), path_(std::move(path)) {}

  /// As OpenAttribute::read. Error::code is the errno: ENOENT where nothing lies at the path any more.
  [[nodiscard]] Result<std::string_view> read(std::span<char> buffer) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const Attributes* board_;
  std::string path_;
  mutable std::unique_ptr<OpenAttribute> file_;
};

}  // namespace sweetspot
