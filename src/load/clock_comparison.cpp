// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/clock_comparison.hpp"

#include <algorithm>

namespace sweetspot {

namespace {

constexpr double tolerance = 0.02;

}  // namespace

Hertz clock_of(const CycleCount& count) {
  if (count.nanoseconds == 0) return {};
  return {static_cast<std::uint64_t>(static_cast<double>(count.cycles) * 1e9 / static_cast<double>(count.nanoseconds) +
                                     0.5)};
}

ClockAgreement agreement_in(const ClockReading& reading) {
  const auto before = reading.reported_before ? reading.reported_before : reading.reported_after;
  const auto after = reading.reported_after ? reading.reported_after : before;
  if (!before) return ClockAgreement::unknown;
  const auto [lowest, highest] = std::minmax(before->value, after->value);
  const auto counted = static_cast<double>(clock_of(reading.count).value);
  if (counted < static_cast<double>(lowest) * (1 - tolerance)) return ClockAgreement::slower;
  if (counted > static_cast<double>(highest) * (1 + tolerance)) return ClockAgreement::faster;
  return ClockAgreement::agrees;
}

}  // namespace sweetspot
