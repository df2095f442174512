// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// What a job says of it, else what holds for those that say nothing.
[[nodiscard]] RailsWanted rails_wanted_by(const JobSpec& spec, const RailsWanted& otherwise);

struct RailNotCounted {
  std::string name;
  std::string why;
  friend bool operator==(const RailNotCounted&, const RailNotCounted&) = default;
};

/// Which of a board's rails are summed, and which are not.
struct RailChoice {
  std::vector<std::size_t> counted;  ///< indices into the labels given, ascending
  std::vector<std::string> counted_names;
  std::vector<RailNotCounted> left_out;
};

/// Chooses by exact label from the rules of the known Jetson boards, never by a part of a name (VDD_CPU_GPU_CV is
/// neither a CPU nor a GPU rail alone). An error names the rails there are: a label asked for that the board lacks, or
/// a board that the table does not know (its energy is then unmeasured, not zero).
[[nodiscard]] Result<RailChoice> choose_rails(std::span<const std::string> labels, const RailsWanted& wanted);

}  // namespace sweetspot
