// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The numbers of a job that a tree may ask for.
enum class Feature { layers, hidden_size, mean_sequence_length, batch_size };
inline constexpr std::size_t feature_count = 4;
[[nodiscard]] std::string_view name_of(Feature feature);
[[nodiscard]] std::optional<Feature> feature_named(std::string_view name);
[[nodiscard]] std::optional<double> feature_of(const JobSpec& spec, Feature feature);

/// One node. Inner: `value <= threshold` goes to `below`, else to `above` (indices into the tree). Leaf: a clock.
struct TreeNode {
  std::optional<Hertz> clock;  ///< set in leaves only
  Feature feature = Feature::layers;
  double threshold = 0;
  std::uint32_t below = 0;
  std::uint32_t above = 0;
  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

/// The values of a feature that the tree was made from. A job outside them is answered by the fallback, not by the
/// tree.
struct FeatureRange {
  Feature feature = Feature::layers;
  double lowest = 0;
  double highest = 0;
  friend bool operator==(const FeatureRange&, const FeatureRange&) = default;
};

/// A decision tree from job features to a clock. Invariant: node 0 is the root, children come after their parent (so
/// there is no cycle), every node but the root has exactly one parent, thresholds are finite, at most 4,096 nodes,
/// depth 64.
class DecisionTree {
 public:
  struct Parts {
    std::string name;
    std::vector<TreeNode> nodes;
    std::vector<FeatureRange> training_ranges;  ///< empty: valid everywhere
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  [[nodiscard]] static Result<DecisionTree> from(Parts parts);

  struct Answer {
    Hertz clock;
    std::vector<std::string> path;  ///< one line per question, for example "layers 24 > 7"
  };
  /// Why the tree has no answer for a job: a feature it asks for is missing, or lies outside the training range.
  struct NoAnswer {
    std::string reason;
  };
  [[nodiscard]] tl::expected<Answer, NoAnswer> decide(const JobSpec& spec) const;

  [[nodiscard]] const Parts& parts() const { return parts_; }
  friend bool operator==(const DecisionTree&, const DecisionTree&) = default;

 private:
  explicit DecisionTree(Parts parts) : parts_(std::move(parts)) {}
  Parts parts_;
};

}  // namespace sweetspot
