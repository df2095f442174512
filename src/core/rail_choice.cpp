// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/rail_choice.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sweetspot {
namespace {

/// A set of labels that together give one figure. The first set of which a board has every label is that board's.
struct LabelSet {
  std::array<std::string_view, 6> labels;
};

// GPU and CPU. AGX Orin, Orin NX/Nano and Xavier NX, AGX Xavier, Nano, TX2, TX2 NX, Thor.
// Source: device trees of L4T R36.4.3, energymon's JetsonPowerRails page, jetson_stats.
constexpr std::array<LabelSet, 7> gpu_and_cpu_sets{{
    {{"VDD_GPU_SOC", "VDD_CPU_CV"}},
    {{"VDD_CPU_GPU_CV"}},
    {{"GPU", "CPU"}},
    {{"POM_5V_GPU", "POM_5V_CPU"}},
    {{"VDD_SYS_GPU", "VDD_SYS_CPU"}},
    {{"VDD_CPU_GPU"}},
    {{"VDD_GPU", "VDD_CPU_SOC_MSS"}},
}};

// The whole module. VDDQ_VDD2_1V8AO of AGX Orin lies inside VIN_SYS_5V0 and is never added. Thor's VIN is the whole
// board.
constexpr std::array<LabelSet, 5> module_sets{{
    {{"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}},
    {{"VDD_IN"}},
    {{"POM_5V_IN"}},
    {{"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}},
    {{"VIN"}},
}};

std::optional<std::size_t> index_of(std::span<const std::string> labels, std::string_view label) {
  const auto found = std::find(labels.begin(), labels.end(), label);
  if (found == labels.end()) return std::nullopt;
  return static_cast<std::size_t>(found - labels.begin());
}

std::optional<std::vector<std::size_t>> matched(const LabelSet& set, std::span<const std::string> labels) {
  std::vector<std::size_t> indices;
  for (const std::string_view label : set.labels) {
    if (label.empty()) break;
    const auto index = index_of(labels, label);
    if (!index) return std::nullopt;
    indices.push_back(*index);
  }
  return indices;
}

std::string joined(std::span<const std::string> labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + label;
  return text.empty() ? "none" : text;
}

std::string why_left_out(std::string_view label) {
  if (label == "VDDQ_VDD2_1V8AO") return "lies inside VIN_SYS_5V0";
  if (label == "VDD_IN" || label == "POM_5V_IN" || label == "VIN") return "the total that the other rails lie inside";
  return "not part of the sum asked for";
}

RailChoice chosen(std::vector<std::size_t> counted, std::span<const std::string> labels) {
  RailChoice choice;
  choice.counted = std::move(counted);
  std::sort(choice.counted.begin(), choice.counted.end());
  for (const std::size_t index : choice.counted) choice.counted_names.push_back(labels[index]);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!std::binary_search(choice.counted.begin(), choice.counted.end(), i))
      choice.left_out.push_back({labels[i], why_left_out(labels[i])});
  }
  return choice;
}

Result<RailChoice> choose_by_name(std::span<const std::string> labels, std::span<const std::string> wanted) {
  std::vector<std::size_t> indices;
  for (const std::string& label : wanted) {
    const auto index = index_of(labels, label);
    if (!index) return failure("rail '" + label + "' is not on this board; it has: " + joined(labels));
    if (std::find(indices.begin(), indices.end(), *index) == indices.end()) indices.push_back(*index);
  }
  return chosen(std::move(indices), labels);
}

template <class Sets>
Result<RailChoice> choose_first_known(std::span<const std::string> labels, const Sets& sets, Objective objective) {
  for (const LabelSet& set : sets) {
    if (auto indices = matched(set, labels)) return chosen(*std::move(indices), labels);
  }
  return failure("no known board measures " + std::string(name_of(objective)) + " with these rails: " + joined(labels) +
                 "; name the rails to count in the configuration (rails)");
}

}  // namespace

Result<RailChoice> choose_rails(std::span<const std::string> labels, const RailsWanted& wanted) {
  if (wanted.labels) return choose_by_name(labels, *wanted.labels);
  return wanted.objective == Objective::module ? choose_first_known(labels, module_sets, wanted.objective)
                                               : choose_first_known(labels, gpu_and_cpu_sets, wanted.objective);
}

RailsWanted rails_wanted_by(const JobSpec& spec, const RailsWanted& otherwise) {
  if (!spec.objective && !spec.rails) return otherwise;
  RailsWanted wanted;
  if (spec.objective) wanted.objective = objective_named(*spec.objective).value_or(otherwise.objective);
  wanted.labels = spec.rails;
  return wanted;
}

}  // namespace sweetspot
