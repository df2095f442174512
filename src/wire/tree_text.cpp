// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "sweetspot/wire/tree_file.hpp"
#include "wire/field_writer.hpp"

namespace sweetspot {
namespace {

std::string_view unit_of(Feature feature) {
  switch (feature) {
    case Feature::layers:
      return "transformer blocks";
    case Feature::hidden_size:
      return "dimensions";
    case Feature::mean_sequence_length:
      return "tokens";
    case Feature::batch_size:
      return "sequences";
  }
  return {};
}

std::vector<Feature> features_of(const DecisionTree::Parts& parts) {
  std::vector<Feature> features;
  const auto note = [&features](Feature feature) {
    if (std::find(features.begin(), features.end(), feature) == features.end()) features.push_back(feature);
  };
  for (const FeatureRange& range : parts.training_ranges) note(range.feature);
  for (const TreeNode& node : parts.nodes) {
    if (!node.clock) note(node.feature);
  }
  return features;
}

std::vector<Hertz> classes_of(const DecisionTree::Parts& parts) {
  std::vector<Hertz> classes;
  for (const TreeNode& node : parts.nodes) {
    if (node.clock) classes.push_back(*node.clock);
  }
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

std::string feature_text(Feature feature, const DecisionTree::Parts& parts) {
  JsonWriter out;
  out.begin_object();
  const FieldWriter field{out};
  field("name", name_of(feature));
  field("unit", unit_of(feature));
  for (const FeatureRange& range : parts.training_ranges) {
    if (range.feature == feature) field("training_range", std::vector<double>{range.lowest, range.highest});
  }
  out.end_object();
  return out.take();
}

std::string node_text(const TreeNode& node, const std::vector<Hertz>& classes) {
  JsonWriter out;
  out.begin_object();
  const FieldWriter field{out};
  if (node.clock) {
    field("class", std::lower_bound(classes.begin(), classes.end(), *node.clock) - classes.begin());
  } else {
    field("feature", name_of(node.feature));
    field("threshold", node.threshold);
    field("below", node.below);
    field("above", node.above);
  }
  out.end_object();
  return out.take();
}

std::string in_quotes(std::string_view text) {
  JsonWriter out;
  out.text(text);
  return out.take();
}

/// Where the tree comes from, as far as it is said.
std::string origin_text(const TreeFile& file) {
  std::string text = ",\n  \"source\": " + in_quotes(file.source);
  if (!file.board.empty()) text += ",\n  \"board\": " + in_quotes(file.board);
  if (!file.rails.empty()) {
    JsonWriter rails;
    write(rails, file.rails);
    text += ",\n  \"rails\": " + rails.take();
  }
  if (!file.data_hash.empty()) text += ",\n  \"data_hash\": " + in_quotes(file.data_hash);
  return text;
}

/// "key": [ and each item on a line of its own.
std::string list_text(const char* key, const std::vector<std::string>& items) {
  std::string text = "  \"" + std::string(key) + "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "\n    " : ",\n    ") + items[i];
  return text + "\n  ]";
}

}  // namespace

std::string tree_file_text(const TreeFile& file) {
  const DecisionTree::Parts& parts = file.tree.parts();
  const std::vector<Hertz> classes = classes_of(parts);
  std::vector<std::string> features;
  for (const Feature feature : features_of(parts)) features.push_back(feature_text(feature, parts));
  std::vector<std::string> nodes;
  for (const TreeNode& node : parts.nodes) nodes.push_back(node_text(node, classes));
  JsonWriter clocks;
  write(clocks, classes);
  return "{\n  \"format\": \"sweetspot-tree\",\n  \"version\": 1,\n  \"name\": " + in_quotes(parts.name) +
         origin_text(file) + ",\n" + list_text("features", features) + ",\n  \"classes_hz\": " + clocks.take() + ",\n" +
         list_text("nodes", nodes) + "\n}\n";
}

}  // namespace sweetspot
