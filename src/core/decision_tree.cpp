// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/decision_tree.hpp"

#include <cmath>

#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t most_nodes = 4096;
constexpr std::uint32_t most_depth = 64;
constexpr Feature features[] = {Feature::layers, Feature::hidden_size, Feature::mean_sequence_length,
                                Feature::batch_size};

std::optional<double> as_real(const std::optional<std::int64_t>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

Result<void> check_children(const std::vector<TreeNode>& nodes) {
  std::vector<std::uint32_t> depth(nodes.size(), 0);  // 0: nobody's child yet
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string where = "node " + std::to_string(i);
    if (i > 0 && depth[i] == 0) return failure(where + " is not the child of an earlier node");
    const TreeNode& node = nodes[i];
    if (node.clock) {
      if (node.clock->value == 0) return failure(where + " is a leaf with clock 0; expected a clock in Hz");
      continue;
    }
    if (!std::isfinite(node.threshold)) return failure(where + " has a threshold that is not a finite number");
    for (const std::uint32_t child : {node.below, node.above}) {
      if (child <= i || child >= nodes.size())
        return failure(where + " points to node " + std::to_string(child) + "; expected a later one, below " +
                       std::to_string(nodes.size()));
      if (depth[child] != 0) return failure("node " + std::to_string(child) + " has two parents");
      depth[child] = depth[i] + 1;
      if (depth[child] > most_depth) return failure("the tree is deeper than " + std::to_string(most_depth));
    }
  }
  return {};
}

}  // namespace

std::string_view name_of(Feature feature) {
  switch (feature) {
    case Feature::layers:
      return "layers";
    case Feature::hidden_size:
      return "hidden_size";
    case Feature::mean_sequence_length:
      return "mean_sequence_length";
    case Feature::batch_size:
      return "batch_size";
  }
  return {};
}

std::optional<Feature> feature_named(std::string_view name) {
  for (const Feature feature : features) {
    if (name == name_of(feature)) return feature;
  }
  return std::nullopt;
}

std::optional<double> feature_of(const JobSpec& spec, Feature feature) {
  switch (feature) {
    case Feature::layers:
      return as_real(spec.layers);
    case Feature::hidden_size:
      return as_real(spec.hidden_size);
    case Feature::mean_sequence_length:
      return spec.mean_sequence_length;
    case Feature::batch_size:
      return as_real(spec.batch_size);
  }
  return std::nullopt;
}

Result<DecisionTree> DecisionTree::from(Parts parts) {
  if (parts.nodes.empty() || parts.nodes.size() > most_nodes)
    return failure("a tree has 1 to " + std::to_string(most_nodes) + " nodes, not " +
                   std::to_string(parts.nodes.size()));
  if (auto children = check_children(parts.nodes); !children) return failure(std::move(children.error()));
  for (const FeatureRange& range : parts.training_ranges) {
    if (!(std::isfinite(range.lowest) && std::isfinite(range.highest) && range.lowest <= range.highest))
      return failure("the training range of " + std::string(name_of(range.feature)) + " is not lowest <= highest");
  }
  return DecisionTree(std::move(parts));
}

tl::expected<DecisionTree::Answer, DecisionTree::NoAnswer> DecisionTree::decide(const JobSpec& spec) const {
  for (const FeatureRange& range : parts_.training_ranges) {
    const auto value = feature_of(spec, range.feature);
    if (value && (*value < range.lowest || *value > range.highest))
      return tl::make_unexpected(NoAnswer{std::string(name_of(range.feature)) + " " + number_text(*value) +
                                          " is outside the tree's training range " + number_text(range.lowest) +
                                          " to " + number_text(range.highest)});
  }
  Answer answer{};
  std::size_t at = 0;
  while (!parts_.nodes[at].clock) {
    const TreeNode& node = parts_.nodes[at];
    const std::string feature(name_of(node.feature));
    const auto value = feature_of(spec, node.feature);
    if (!value) return tl::make_unexpected(NoAnswer{"the job gives no " + feature});
    const bool below = *value <= node.threshold;
    answer.path.push_back(feature + " " + number_text(*value) + (below ? " <= " : " > ") + number_text(node.threshold));
    at = below ? node.below : node.above;
  }
  answer.clock = *parts_.nodes[at].clock;
  return answer;
}

}  // namespace sweetspot
