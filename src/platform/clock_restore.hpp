// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/limit_files.hpp"
#include "sweetspot/platform/saved_clock.hpp"

namespace sweetspot {

/// What is known when limits are given back. The living daemon may know who wrote them; after a crash nobody does.
struct GiveBack {
  const SavedClock& saved;
  const FrequencyTable& table;
  const LimitFiles& files;
  const CoolingDevices& cooling;
  bool power_mode_changed = false;
  std::optional<bool> min_written;
  std::optional<bool> max_written;
};

/// Writes what is ours back: max_freq first (always widening, so no kernel refuses it), then min_freq, judged anew
/// because a lifted max shows what it hid. Leaves the saved file to the caller, who removes it when the report is
/// complete.
[[nodiscard]] Result<ReleaseReport> give_back(const GiveBack& what);

[[nodiscard]] OwnLimits own_limits(const SavedClock& saved);

}  // namespace sweetspot
