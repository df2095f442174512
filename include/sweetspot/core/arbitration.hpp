// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// Whose clock wins when several jobs run: `highest` (nobody runs slower than its own optimum), `newest`, `lowest`.
enum class Arbitration { highest, newest, lowest };
[[nodiscard]] std::string_view name_of(Arbitration rule);
[[nodiscard]] std::optional<Arbitration> arbitration_named(std::string_view name);

/// One running job's wish. A job under policy `none` wishes for nothing (empty clock) and does not stand in the way.
struct ClockWish {
  std::int64_t job_id = 0;  ///< ascending with age: the highest is the newest
  std::optional<Hertz> clock;
};

/// The clock all jobs share; empty when no job wishes for one.
[[nodiscard]] std::optional<Hertz> arbitrate(std::span<const ClockWish> wishes, Arbitration rule);

}  // namespace sweetspot
