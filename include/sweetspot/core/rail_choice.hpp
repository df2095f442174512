// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Which rails an energy figure counts.
enum class RailSet {
  gpu_and_cpu,  // the paper's sum: the rails that feed GPU and CPU (with what else hangs on them)
  module,       // everything the module measures, each watt once
};

struct RailNotCounted {
  std::string name;
  std::string why;
  friend bool operator==(const RailNotCounted&, const RailNotCounted&) = default;
};

struct RailChoice {
  std::vector<std::size_t> counted;  // indices into the labels given, ascending
  std::vector<std::string> counted_names;
  std::vector<RailNotCounted> left_out;
};

/// Chooses by exact label from the rules of the known boards, never by a part of a name (NVIDIA's VDD_CPU_GPU_CV is
/// neither a CPU nor a GPU rail alone). An error names the rails there are.
[[nodiscard]] Result<RailChoice> choose_rails(std::span<const std::string> labels, RailSet set);
/// Exactly the rails named, each once.
[[nodiscard]] Result<RailChoice> choose_rails(std::span<const std::string> labels, std::span<const std::string> wanted);

/// "gpu+cpu" or "module".
[[nodiscard]] Result<RailSet> parse_rail_set(std::string_view text);
[[nodiscard]] std::string_view to_text(RailSet set);

}  // namespace sweetspot
