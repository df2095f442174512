// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/tree_file.hpp"

#include <algorithm>
#include <cmath>

#include "tests/fuzz/properties.hpp"

// A decision tree from a file.
namespace sweetspot::fuzz {
namespace {

void check_answer(const DecisionTree& tree, const JobSpec& spec) {
  const auto answer = tree.decide(spec);
  if (!answer) {
    require(!answer.error().reason.empty(), "no answer has a reason");
    return;
  }
  const auto& nodes = tree.parts().nodes;
  require(std::any_of(nodes.begin(), nodes.end(), [&](const TreeNode& node) { return node.clock == answer->clock; }),
          "an answer is the clock of a leaf");
  require(answer->path.size() <= 64 && answer->path.size() < nodes.size(), "a path ends");
}

void check_answers(const DecisionTree& tree) {
  check_answer(tree, JobSpec{});
  JobSpec spec{.layers = 24, .hidden_size = 1024, .mean_sequence_length = 14, .batch_size = 8};
  check_answer(tree, spec);
  // At a threshold, where below and above meet.
  const double edge = tree.parts().nodes.front().threshold;
  spec.mean_sequence_length = edge;
  if (std::abs(edge) < 1e15) spec.layers = std::llround(edge);
  check_answer(tree, spec);
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const auto file = parse_tree_file(as_text(bytes, size));
  if (!file) {
    require_good_error(file.error());
    return 0;
  }
  const std::string text = tree_file_text(*file);
  require(is_utf8(text), "a tree file is UTF-8");
  const auto again = parse_tree_file(text);
  require(again.has_value() && *again == *file, "a tree that is read and written again is the same");
  check_answers(file->tree);
  return 0;
}
