// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

constexpr const char* write_test = "write test";

/// The write test was not made.
[[nodiscard]] inline Finding skipped_write_test(const std::string& why) {
  return {Finding::Verdict::skip, write_test, why, ""};
}

/// The clock of a write test: one entry below the highest allowed, so that both limits have to change and a GPU that
/// is needed meanwhile hardly notices.
[[nodiscard]] inline Hertz test_clock(const FrequencyTable& table, Hertz cap) {
  const Hertz top = table.highest_within(cap).value_or(table.lowest());
  return table.highest_within({top.value - 1}).value_or(top);
}

}  // namespace sweetspot
