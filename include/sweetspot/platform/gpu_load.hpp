// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/kept_attribute.hpp"

namespace sweetspot {

/// The GPU's load in per cent (the file counts 0 to 1000 per mille), through one open file. 0 while it is powered off.
class LoadReader {
 public:
  /// An error where the board has no load file (Thor): load is optional.
  [[nodiscard]] static Result<LoadReader> open(const Attributes& board, const GpuNode& node);
  [[nodiscard]] Result<double> read();

 private:
  explicit LoadReader(KeptAttribute file) : file_(std::move(file)) {}

  KeptAttribute file_;
};

}  // namespace sweetspot
