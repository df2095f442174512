// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What is to be least: the joules of a job, or its joules times its seconds.
enum class Least { energy, energy_delay };

/// What a job wants of its clock, besides which rails are counted. Limits are kept before energy is saved.
struct JobAim {
  Least least = Least::energy;
  /// A step may take so many times what it takes at the highest clock, from measured times; at least 1.
  std::optional<double> max_slowdown;
  /// When the job's last step is to be done, on the clock of its readings. Needs its total of steps.
  std::optional<Instant> finish_by;

  friend bool operator==(const JobAim&, const JobAim&) = default;
};

}  // namespace sweetspot
