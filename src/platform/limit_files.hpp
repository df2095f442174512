// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/core/clock_verdict.hpp"
#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/thermal.hpp"

namespace sweetspot {

/// min_freq and max_freq of a devfreq directory; 0 ("no limit") becomes the end of the table.
[[nodiscard]] Result<ClockLimits> read_clock_limits(const Attributes& board, const std::string& devfreq_dir,
                                                    const FrequencyTable& table);

/// The limits between two looks at the cooling devices, so that a thermal cap that begins or ends meanwhile is noticed.
struct LimitsSeen {
  ClockLimits limits;
  std::vector<std::string> cooling;  // active before or after
};
[[nodiscard]] Result<LimitsSeen> see_clock_limits(const Attributes& board, const std::string& devfreq_dir,
                                                  const FrequencyTable& table, const CoolingDevices& cooling);

[[nodiscard]] Result<void> write_clock_limit(Attributes& board, const std::string& devfreq_dir, const char* file,
                                             Hertz value);

}  // namespace sweetspot
