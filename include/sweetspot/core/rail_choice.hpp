// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Which rails somebody wants counted: an objective, or labels by name, which go before it.
struct RailsWanted {
  Objective objective = Objective::gpu_and_cpu;
  std::optional<std::vector<std::string>> labels;
  friend bool operator==(const RailsWanted&, const RailsWanted&) = default;
};

/// Which of a board's rails are summed, and which are not, with the reason where there is a particular one.
struct RailChoice {
  std::vector<std::size_t> counted;           ///< indices into the labels given
  std::vector<std::string> names_counted;
  std::vector<std::string> names_left_out;
  friend bool operator==(const RailChoice&, const RailChoice&) = default;
};

/// Chooses by exact label from the table of known Jetson boards (never by a substring: VDD_CPU_GPU_CV is not a CPU rail).
/// A label asked for by name that the board lacks is an error that names those it has. A board whose rails the table does
/// not know counts nothing (the energy is then unmeasured, not zero).
[[nodiscard]] Result<RailChoice> choose_rails(std::span<const std::string> labels, const RailsWanted& wanted);

}  // namespace sweetspot
