// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/tree_file.hpp"

#include <algorithm>
#include <utility>

#include "wire/field_reader.hpp"
#include "wire/json_writer.hpp"

namespace sweetspot {
namespace {

constexpr std::string_view format_name = "sweetspot-tree";
constexpr std::int64_t format_version = 1;
// 4,096 nodes of 100 bytes each are well below; what is larger is no tree of ours.
constexpr std::size_t most_bytes = 1024 * 1024;

struct FeatureEntry {
  std::string name;
  std::optional<std::string> unit;
  std::optional<std::vector<double>> training_range;
};
void visit_fields(Either<FeatureEntry> auto& entry, auto&& visit) {
  visit("name", entry.name);
  visit("unit", entry.unit);
  visit("training_range", entry.training_range);
}

/// An inner node has the first four, a leaf the last one.
struct NodeEntry {
  std::optional<std::string> feature;
  std::optional<double> threshold;
  std::optional<std::uint32_t> below;
  std::optional<std::uint32_t> above;
  std::optional<std::uint32_t> clock_class;
};
void visit_fields(Either<NodeEntry> auto& entry, auto&& visit) {
  visit("feature", entry.feature);
  visit("threshold", entry.threshold);
  visit("below", entry.below);
  visit("above", entry.above);
  visit("class", entry.clock_class);
}

struct TreeDocument {
  std::string format;
  std::int64_t version = 0;
  std::string name;
  std::string source;
  std::optional<std::string> board;
  std::optional<std::vector<std::string>> rails;
  std::optional<std::string> data_hash;
  std::vector<FeatureEntry> features;
  std::vector<Hertz> classes;
  std::vector<NodeEntry> nodes;
};
void visit_fields(Either<TreeDocument> auto& document, auto&& visit) {
  visit("format", document.format);
  visit("version", document.version);
  visit("name", document.name);
  visit("source", document.source);
  visit("board", document.board);
  visit("rails", document.rails);
  visit("data_hash", document.data_hash);
  visit("features", document.features);
  visit("classes_hz", document.classes);
  visit("nodes", document.nodes);
}

FieldProblem check_head(const TreeDocument& document) {
  if (document.format != format_name)
    return JsonProblem{"format", "expected " + std::string(format_name) + ", not " + clipped(document.format)};
  if (document.version != format_version)
    return JsonProblem{"version", "expected 1, not " + std::to_string(document.version)};
  if (document.name.empty() || document.name.size() > SpecLimits::name_bytes)
    return JsonProblem{"name", "expected 1 to " + std::to_string(SpecLimits::name_bytes) + " bytes"};
  return std::nullopt;
}

FieldProblem read_features(const TreeDocument& document, std::vector<FeatureRange>& ranges) {
  for (std::size_t i = 0; i < document.features.size(); ++i) {
    const FeatureEntry& entry = document.features[i];
    const auto feature = feature_named(entry.name);
    if (!feature)
      return JsonProblem{
          place_of("features", i, "name"),
          "expected layers, hidden_size, mean_sequence_length or batch_size, not " + clipped(entry.name)};
    const auto same = [&entry](const FeatureEntry& other) { return other.name == entry.name; };
    if (std::count_if(document.features.begin(), document.features.end(), same) > 1)
      return JsonProblem{place_of("features", i, "name"), clipped(entry.name) + " stands there twice"};
    if (!entry.training_range) continue;
    const std::vector<double>& range = *entry.training_range;
    if (range.size() != 2 || !(range[0] <= range[1]))
      return JsonProblem{place_of("features", i, "training_range"), "expected [lowest, highest]"};
    ranges.push_back(FeatureRange{*feature, range[0], range[1]});
  }
  return std::nullopt;
}

FieldProblem read_leaf(const TreeDocument& document, std::size_t index, TreeNode& node) {
  const NodeEntry& entry = document.nodes[index];
  if (entry.feature || entry.threshold || entry.below || entry.above)
    return JsonProblem{place_of("nodes", index, "class"), "expected either a class or a question, not both"};
  if (*entry.clock_class >= document.classes.size())
    return JsonProblem{place_of("nodes", index, "class"), "expected the index of one of " +
                                                              std::to_string(document.classes.size()) +
                                                              " classes, not " + std::to_string(*entry.clock_class)};
  node.clock = document.classes[*entry.clock_class];
  return std::nullopt;
}

FieldProblem read_child(const TreeDocument& document, std::size_t index, const char* name,
                        const std::optional<std::uint32_t>& child) {
  if (child && *child > index && *child < document.nodes.size()) return std::nullopt;
  return JsonProblem{place_of("nodes", index, name),
                     "expected the index of a later node, below " + std::to_string(document.nodes.size())};
}

FieldProblem read_question(const TreeDocument& document, std::size_t index, TreeNode& node) {
  const NodeEntry& entry = document.nodes[index];
  const auto listed = [&entry](const FeatureEntry& feature) { return feature.name == entry.feature; };
  if (!entry.feature || std::none_of(document.features.begin(), document.features.end(), listed))
    return JsonProblem{place_of("nodes", index, "feature"), "expected one of the features listed above, or a class"};
  if (!entry.threshold) return JsonProblem{place_of("nodes", index, "threshold"), "is missing"};
  if (auto problem = read_child(document, index, "below", entry.below)) return problem;
  if (auto problem = read_child(document, index, "above", entry.above)) return problem;
  node.feature = *feature_named(*entry.feature);
  node.threshold = *entry.threshold;
  node.below = *entry.below;
  node.above = *entry.above;
  return std::nullopt;
}

FieldProblem read_parts(const TreeDocument& document, DecisionTree::Parts& parts) {
  if (auto problem = check_head(document)) return problem;
  if (auto problem = read_features(document, parts.training_ranges)) return problem;
  for (std::size_t i = 0; i < document.classes.size(); ++i) {
    if (document.classes[i].value < 1'000'000 || document.classes[i].value > 100'000'000'000)
      return JsonProblem{"classes_hz[" + std::to_string(i) + "]", "expected a clock from 1000000 to 100000000000 Hz"};
  }
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    TreeNode& node = parts.nodes.emplace_back();
    auto problem = document.nodes[i].clock_class ? read_leaf(document, i, node) : read_question(document, i, node);
    if (problem) return problem;
  }
  parts.name = document.name;
  return std::nullopt;
}

}  // namespace

Result<TreeFile> parse_tree_file(std::string_view text) {
  if (text.size() > most_bytes) return failure("larger than 1 MiB; expected a tree of at most 4096 nodes");
  auto document = read_struct<TreeDocument>(text, UnknownKeys::refused, JsonRules{.comments = true});
  if (!document) return failure(std::move(document.error()));
  DecisionTree::Parts parts;
  if (auto problem = read_parts(*document, parts)) return failure(to_error(std::move(*problem)));
  auto tree = DecisionTree::from(std::move(parts));
  if (!tree) return failure(std::move(tree.error()).within("nodes"));
  return TreeFile{.tree = std::move(*tree),
                  .source = std::move(document->source),
                  .board = std::move(document->board).value_or(std::string()),
                  .rails = std::move(document->rails).value_or(std::vector<std::string>()),
                  .data_hash = std::move(document->data_hash).value_or(std::string())};
}

}  // namespace sweetspot
