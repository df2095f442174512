// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/board_identity.hpp"

namespace sweetspot {

/// The GPU's devfreq node, found by what it is and never by a fixed path. Paths are real paths as on the board.
struct GpuNode {
  std::string name;         // "17000000.gpu"
  std::string devfreq_dir;  // holds min_freq, max_freq, cur_freq, governor, available_frequencies
  std::string device_dir;   // the GPU device: load, is_railgated
  FrequencyTable table;
  std::optional<std::string> load_file;
  std::optional<std::string> railgate_file;
  /// JetPack 7.2 on Thor: repeated reads of min_freq and max_freq are reported to hang for ever, so checks read
  /// `governor` only.
  bool limits_may_hang = false;

  friend bool operator==(const GpuNode&, const GpuNode&) = default;
};

/// Looks in this order: `configured_path` (a devfreq directory), nvgpu's `devfreq_dev` links, every /sys/class/devfreq
/// entry that the device tree or its name calls a GPU. A candidate counts only if available_frequencies, min_freq,
/// max_freq and governor can be read. The node appears at the GPU's first power-on and may vanish: an error here means
/// "not ready, look again", and says what was looked at. A configured path that fails is an error of its own, nothing
/// else is tried.
[[nodiscard]] Result<GpuNode> find_gpu(const Attributes& board, const BoardIdentity& identity,
                                       const std::optional<std::string>& configured_path = std::nullopt);

/// The devfreq folder of that node, or, while its driver has not filled it yet, of the candidate that will be it: at
/// the node's `add` uevent the files are there, but not all of them can be read.
[[nodiscard]] Result<std::string> find_gpu_folder(const Attributes& board,
                                                  const std::optional<std::string>& configured_path = std::nullopt);

}  // namespace sweetspot
