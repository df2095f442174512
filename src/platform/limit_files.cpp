// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/limit_files.hpp"

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {

LimitFiles::LimitFiles(Attributes& board, std::string devfreq_dir, FrequencyTable table)
    : board_(&board),
      devfreq_dir_(std::move(devfreq_dir)),
      table_(std::move(table)),
      min_(board, devfreq_dir_ + "/min_freq"),
      max_(board, devfreq_dir_ + "/max_freq") {}

Result<ClockLimits> LimitFiles::read() const {
  const auto min = read_clock(min_);
  if (!min) return tl::unexpected(min.error());
  const auto max = read_clock(max_);
  if (!max) return tl::unexpected(max.error());
  return ClockLimits{min->value == 0 ? table_.lowest() : *min, max->value == 0 ? table_.highest() : *max};
}

Result<LimitsSeen> LimitFiles::see(const CoolingDevices& cooling) const {
  std::vector<std::string> before = cooling.active();
  const auto limits = read();
  if (!limits) return tl::unexpected(limits.error());
  std::vector<std::string> after = cooling.active();
  return LimitsSeen{*limits, after.empty() ? std::move(before) : std::move(after)};
}

Result<void> LimitFiles::write(const char* file, Hertz value) const {
  return board_->write(devfreq_dir_ + "/" + file, std::to_string(value.value));
}

}  // namespace sweetspot
