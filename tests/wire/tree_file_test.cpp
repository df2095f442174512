// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/tree_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "places.hpp"
#include "sweetspot/core/mlg.hpp"
#include "wire/read_file.hpp"

namespace sweetspot {
namespace {

const std::string& shipped() {
  static const std::string text = read_file(SWEETSPOT_SOURCE_DIR "/config/trees/mlg.json");
  return text;
}

/// The shipped tree with one thing changed, at a JSON pointer.
std::string with(const char* pointer, const nlohmann::json& value) {
  auto json = nlohmann::json::parse(shipped());
  json[nlohmann::json::json_pointer(pointer)] = value;
  return json.dump();
}

std::string tree_error_of(const std::string& text) {
  const auto file = parse_tree_file(text);
  return file ? "accepted" : file.error().message;
}

TEST(TreeFile, TheShippedTreeIsTheBuiltInOne) {
  const auto file = parse_tree_file(shipped());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->tree, mlg_tree());
}

TEST(TreeFile, TheShippedTreeAnswersAsTheBuiltInOneForEveryJob) {
  const auto file = parse_tree_file(shipped());
  ASSERT_TRUE(file) << file.error().message;
  std::vector<double> lengths;
  for (double length = 1; length <= 128; length += 0.25) lengths.push_back(length);
  for (const double threshold : {32.5, 53.0}) {
    for (const double beside : {std::nextafter(threshold, 0.0), threshold, std::nextafter(threshold, 1e9)})
      lengths.push_back(beside);
  }
  for (std::int64_t layers = 1; layers <= 64; ++layers) {
    for (const double length : lengths) {
      const JobSpec spec{.layers = layers, .mean_sequence_length = length};
      const auto from_file = file->tree.decide(spec);
      const auto built_in = mlg_tree().decide(spec);
      ASSERT_TRUE(from_file && built_in);
      ASSERT_EQ(from_file->clock, built_in->clock) << layers << " layers, length " << length;
      ASSERT_EQ(from_file->path, built_in->path);
    }
  }
}

TEST(TreeFile, AnswersThePapersClocksAtItsThresholds) {
  const auto file = parse_tree_file(shipped());
  ASSERT_TRUE(file) << file.error().message;
  const auto clock = [&file](std::int64_t layers, double length) {
    return file->tree.decide(JobSpec{.layers = layers, .mean_sequence_length = length})->clock;
  };
  EXPECT_EQ(clock(7, 32.5), megahertz(510));
  EXPECT_EQ(clock(7, 32.6), megahertz(612));
  EXPECT_EQ(clock(8, 53.0), megahertz(714));
  EXPECT_EQ(clock(8, 53.1), megahertz(816));
}

TEST(TreeFile, ReadsBackWhatItWrites) {
  auto tree = DecisionTree::from(
      {.name = "fit \"1\"",
       .nodes = {TreeNode{{}, Feature::hidden_size, 0.1, 1, 2}, TreeNode{megahertz(1300.5)}, TreeNode{megahertz(306)}},
       .training_ranges = {{Feature::batch_size, 1, 512}, {Feature::hidden_size, 128.5, 4096}}});
  ASSERT_TRUE(tree);
  const TreeFile file{
      .tree = *tree, .source = "a test", .board = "agx-orin-64", .rails = {"A", "B"}, .data_hash = "fnv1a64:00"};
  const auto read = parse_tree_file(tree_file_text(file));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, file);
}

TEST(TreeFile, WritesTheShippedTreeAsItIsShipped) {
  const auto file = parse_tree_file(shipped());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(nlohmann::json::parse(tree_file_text(*file)), nlohmann::json::parse(shipped()));
}

TEST(TreeFile, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(tree_error_of(with("/format", "tree")), "format: expected sweetspot-tree, not tree");
  EXPECT_EQ(tree_error_of(with("/version", 2)), "version: expected 1, not 2");
  EXPECT_EQ(tree_error_of(with("/name", "")), "name: expected 1 to 256 bytes");
  EXPECT_EQ(tree_error_of(with("/features/0/name", "moon")),
            "features[0].name: expected layers, hidden_size, mean_sequence_length or batch_size, not moon");
  EXPECT_EQ(tree_error_of(with("/features/1/name", "layers")), "features[0].name: layers stands there twice");
  EXPECT_EQ(tree_error_of(with("/features/0/training_range", {7, 3})),
            "features[0].training_range: expected [lowest, highest]");
  EXPECT_EQ(tree_error_of(with("/features/0/training_range", {7})),
            "features[0].training_range: expected [lowest, highest]");
  EXPECT_EQ(tree_error_of(with("/classes_hz/2", 0)), "classes_hz[2]: expected a clock from 1000000 to 100000000000 Hz");
  EXPECT_EQ(tree_error_of(with("/nodes/3/class", 4)), "nodes[3].class: expected the index of one of 4 classes, not 4");
  EXPECT_EQ(tree_error_of(with("/nodes/3/threshold", 4)),
            "nodes[3].class: expected either a class or a question, not both");
  EXPECT_EQ(tree_error_of(with("/nodes/0/feature", "batch_size")),
            "nodes[0].feature: expected one of the features listed above, or a class");
  EXPECT_EQ(tree_error_of(with("/nodes/0/threshold", nullptr)), "nodes[0].threshold: is missing");
  EXPECT_EQ(tree_error_of(with("/nodes/0/threshold", "7")), "nodes[0].threshold: expected a number, not the text '7'");
  EXPECT_EQ(tree_error_of(with("/nodes/2/extra", 1)),
            "nodes[2].extra: is not known here; known: feature, threshold, below, above, class");
}

TEST(TreeFile, RefusesLoopsMissingNodesAndSharedNodes) {
  EXPECT_EQ(tree_error_of(with("/nodes/1/below", 0)), "nodes[1].below: expected the index of a later node, below 7");
  EXPECT_EQ(tree_error_of(with("/nodes/1/below", 1)), "nodes[1].below: expected the index of a later node, below 7");
  EXPECT_EQ(tree_error_of(with("/nodes/2/above", 7)), "nodes[2].above: expected the index of a later node, below 7");
  EXPECT_EQ(tree_error_of(with("/nodes/2/above", 4294967296)),
            "nodes[2].above: expected a whole number from 0 to 4294967295, not 4294967296");
  EXPECT_TRUE(tree_error_of(with("/nodes/2/above", 4)).starts_with("nodes: "))
      << tree_error_of(with("/nodes/2/above", 4));
  EXPECT_TRUE(tree_error_of(with("/nodes/7", {{"class", 0}})).starts_with("nodes: "));
  EXPECT_TRUE(tree_error_of(with("/nodes", nlohmann::json::array())).starts_with("nodes: "));
}

TEST(TreeFile, RefusesATreeThatIsTooDeep) {
  auto json = nlohmann::json::parse(shipped());
  json["nodes"] = nlohmann::json::array();
  for (int i = 0; i < 100; ++i) {
    json["nodes"].push_back({{"feature", "layers"}, {"threshold", i}, {"below", 2 * i + 1}, {"above", 2 * i + 2}});
    json["nodes"].push_back({{"class", 0}});
  }
  json["nodes"].push_back({{"class", 0}});
  // Each question's "above" is the next question.
  for (std::size_t i = 0; i < 200; i += 2) {
    json["nodes"][i]["below"] = i + 1;
    json["nodes"][i]["above"] = i + 2;
  }
  EXPECT_NE(tree_error_of(json.dump()).find("deeper"), std::string::npos) << tree_error_of(json.dump());
}

TEST(TreeFile, RefusesAMillionNodes) {
  std::string text =
      R"({"format":"sweetspot-tree","version":1,"name":"x","source":"","features":[],"classes_hz":[1000000],"nodes":[{"class":0})";
  for (int i = 1; i < 1'000'000; ++i) text += R"(,{"class":0})";
  EXPECT_NE(tree_error_of(text + "]}"), "accepted");
}

TEST(TreeFile, RefusesHostileTexts) {
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), std::string("null"), std::string(100'000, '['),
        std::string("{\"format\":\"sweetspot-tree\",\"format\":\"sweetspot-tree\"}"), std::string("\xff\xfe"),
        shipped() + "x", shipped().substr(0, shipped().size() / 2)})
    EXPECT_NE(tree_error_of(text), "accepted") << text.substr(0, 60);
  std::string text = shipped();
  text.replace(text.find("32.5"), 4, "1e999");
  EXPECT_EQ(tree_error_of(text), "nodes[1].threshold: the number is too large");
  text = shipped();
  text.replace(text.find("32.5"), 4, "NaN");
  EXPECT_TRUE(tree_error_of(text).starts_with("nodes[1].threshold: not JSON")) << tree_error_of(text);
}

}  // namespace
}  // namespace sweetspot
