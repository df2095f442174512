// SPDX-License-Identifier: Apache-2.0
#include "platform/limit_files.hpp"

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {

Result<ClockLimits> read_clock_limits(const Attributes& board, const std::string& devfreq_dir,
                                      const FrequencyTable& table) {
  const auto min = read_clock(board, devfreq_dir + "/min_freq");
  if (!min) return tl::unexpected(min.error());
  const auto max = read_clock(board, devfreq_dir + "/max_freq");
  if (!max) return tl::unexpected(max.error());
  return ClockLimits{min->value == 0 ? table.lowest() : *min, max->value == 0 ? table.highest() : *max};
}

Result<LimitsSeen> see_clock_limits(const Attributes& board, const std::string& devfreq_dir,
                                    const FrequencyTable& table, const CoolingDevices& cooling) {
  std::vector<std::string> before = cooling.active(board);
  const auto limits = read_clock_limits(board, devfreq_dir, table);
  if (!limits) return tl::unexpected(limits.error());
  std::vector<std::string> after = cooling.active(board);
  return LimitsSeen{*limits, after.empty() ? std::move(before) : std::move(after)};
}

Result<void> write_clock_limit(Attributes& board, const std::string& devfreq_dir, const char* file, Hertz value) {
  return board.write(devfreq_dir + "/" + file, std::to_string(value.value));
}

}  // namespace sweetspot
