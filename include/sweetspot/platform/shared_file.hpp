// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A small file that several programs change. Each reads it, makes a new text of it and replaces it by rename, under a
/// lock on `<path>.lock` beside it: no change is lost, and a reader sees the text of before or after. Blocks as long as
/// the disk and other holders of the lock do. May be used from several threads.
class SharedFile {
 public:
  SharedFile(std::string path, std::size_t most_bytes) : path_(std::move(path)), most_bytes_(most_bytes) {}

  /// Empty: there is no such file.
  [[nodiscard]] Result<std::optional<std::string>> read() const;
  using Change = std::function<Result<std::string>(const std::optional<std::string>& before)>;
  /// Files are made 0640. An error of the change leaves everything as it was.
  [[nodiscard]] Result<void> change(const Change& change) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::size_t most_bytes_;
};

}  // namespace sweetspot
