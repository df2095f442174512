// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/record.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

// Figures as people read them. Three significant digits: the sensors do not know more.

/// "-0.40 J", "512 J", "41.0 kJ", "1.23 MJ".
[[nodiscard]] std::string energy_text(Joules energy);
/// "28.4 W": one decimal.
[[nodiscard]] std::string power_text(Watts power);
/// "80 ms", "12.3 s", "24 min 3 s", "3 h 12 min", "2 d 4 h".
[[nodiscard]] std::string duration_text(Duration duration);
/// A share of 1 as "100 %", "99.9 %", "0 %". Rounded down, so that only a whole is called 100 %.
[[nodiscard]] std::string percent_text(double share);
/// A length of time as people write it: "90", "90s", "500ms", "20min", "2h". Not negative.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);
/// Somebody else's text (a job's name, a process' name) as it may go to a terminal: control characters become '?'.
[[nodiscard]] std::string printable(std::string_view text);
/// "a + b + c".
[[nodiscard]] std::string sum_text(const std::vector<std::string>& names);

/// What a job cost, in one line without its end:
/// "612 MHz, 41.0 kJ on VDD_GPU_SOC + VDD_CPU_CV in 24 min 3 s (mean 28.4 W), coverage 100 %". What was not measured is
/// said to be so.
[[nodiscard]] std::string record_line(const EnergyRecord& record);

/// "612 MHz" or "kernel governor": the clock of a decision.
[[nodiscard]] std::string decided_clock(const Decision& decision);

}  // namespace sweetspot
