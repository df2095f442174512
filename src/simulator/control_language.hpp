// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

enum class ControlVerb {
  load_start,
  load_end,
  write_error,
  read_error,
  block,
  slow,
  set,
  clear,
  gpu_vanish,
  gpu_appear,
  clock_stuck,
  clock_follow,
  governor,
  kernel,
  thermal_cap,
  thermal_clear,
  rival,
  rival_stop,
  power_mode,
  sensor_stuck,
  sensor_error,
  sensor_clear,
  hwmon_renumber,
  oc,
  kill_at,
  kill_cancel,
  accesses_restart,
  writes_clear,
};

/// One line of the control file, checked for shape: the number of arguments and the names of its options are right.
struct ControlLine {
  ControlVerb verb = ControlVerb::load_start;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> options;

  /// Whole text a number, or a refusal that says so. `fallback` where the option is absent.
  [[nodiscard]] Result<double> number(const std::string& option, double fallback) const;
  /// The option `count`; empty where it is absent: without end.
  [[nodiscard]] Result<std::optional<int>> count() const;
  [[nodiscard]] Result<double> argument_number(std::size_t index) const;
};

[[nodiscard]] Result<ControlLine> parse_control_line(std::string_view text);

/// The grammar, as `sweetspot-sim mount --help` prints it.
[[nodiscard]] std::string control_grammar();

}  // namespace sweetspot
