// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/frequency_table.hpp"

namespace sweetspot {

/// The clock of a write test: one entry below the highest allowed, so that both limits have to change and a GPU that
/// is needed meanwhile hardly notices.
[[nodiscard]] inline Hertz test_clock(const FrequencyTable& table, Hertz cap) {
  const Hertz top = table.highest_within(cap).value_or(table.lowest());
  return table.highest_within({top.value - 1}).value_or(top);
}

}  // namespace sweetspot
