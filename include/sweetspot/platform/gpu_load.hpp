// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"

namespace sweetspot {

/// The GPU's load in per cent (the file counts 0 to 1000 per mille), through one open file. 0 while it is powered off.
class LoadReader {
 public:
  /// An error where the board has no load file (Thor): load is optional.
  [[nodiscard]] static Result<LoadReader> open(const Attributes& board, const GpuNode& node);
  [[nodiscard]] Result<double> read();

 private:
  LoadReader(const Attributes& board, std::string path, std::unique_ptr<OpenAttribute> file)
      : board_(&board), path_(std::move(path)), file_(std::move(file)) {}

  const Attributes* board_;
  std::string path_;
  std::unique_ptr<OpenAttribute> file_;
};

}  // namespace sweetspot
