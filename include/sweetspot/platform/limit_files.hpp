// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/core/clock_verdict.hpp"
#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/kept_attribute.hpp"
#include "sweetspot/platform/thermal.hpp"

namespace sweetspot {

/// The limits between two looks at the cooling devices, so that a thermal cap that begins or ends meanwhile is noticed.
struct LimitsSeen {
  ClockLimits limits;
  std::vector<std::string> cooling;  // active before or after
};

/// min_freq and max_freq of one devfreq directory. Reads go through files kept open, writes open by path. Errors carry
/// the errno: ENOENT or ENODEV when the node is gone. One thread at a time; `board` outlives it.
class LimitFiles {
 public:
  LimitFiles(Attributes& board, std::string devfreq_dir, FrequencyTable table);

  /// 0 ("no limit") becomes the end of the table.
  [[nodiscard]] Result<ClockLimits> read() const;
  [[nodiscard]] Result<LimitsSeen> see(const CoolingDevices& cooling) const;
  /// `file`: "min_freq" or "max_freq".
  [[nodiscard]] Result<void> write(const char* file, Hertz value) const;

 private:
  Attributes* board_;
  std::string devfreq_dir_;
  FrequencyTable table_;
  KeptAttribute min_;
  KeptAttribute max_;
};

}  // namespace sweetspot
