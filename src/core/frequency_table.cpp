// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/frequency_table.hpp"

#include <algorithm>

namespace sweetspot {

Result<FrequencyTable> FrequencyTable::from(std::vector<Hertz> clocks) {
  if (clocks.empty()) return failure("the frequency table is empty; expected at least one clock in Hz");
  std::sort(clocks.begin(), clocks.end());
  clocks.erase(std::unique(clocks.begin(), clocks.end()), clocks.end());
  if (clocks.front().value == 0) return failure("the frequency table holds 0 Hz; expected clocks above zero");
  return FrequencyTable(std::move(clocks));
}

bool FrequencyTable::contains(Hertz clock) const {
  return std::binary_search(clocks_.begin(), clocks_.end(), clock);
}

Hertz FrequencyTable::nearest(Hertz wanted) const {
  const auto above = std::lower_bound(clocks_.begin(), clocks_.end(), wanted);
  if (above == clocks_.end()) return clocks_.back();
  if (above == clocks_.begin()) return clocks_.front();
  const Hertz below = *std::prev(above);
  return above->value - wanted.value < wanted.value - below.value ? *above : below;
}

std::optional<Hertz> FrequencyTable::highest_within(Hertz limit) const {
  const auto above = std::upper_bound(clocks_.begin(), clocks_.end(), limit);
  if (above == clocks_.begin()) return std::nullopt;
  return *std::prev(above);
}

}  // namespace sweetspot
