// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/model_config.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "places.hpp"
#include "wire/read_file.hpp"

namespace sweetspot {
namespace {

const std::string folder = SWEETSPOT_SOURCE_DIR "/tests/data/model-configs/";

nlohmann::json expectations() {
  return nlohmann::json::parse(read_file(folder + "expected.json"));
}

TEST(ModelConfig, ReadsEveryFamilyAsExpected) {
  const nlohmann::json table = expectations();
  for (const auto& [family, expected] : table.items()) {
    const auto shape = parse_model_config(read_file(folder + family + "/config.json"));
    if (expected.contains("error")) {
      EXPECT_FALSE(shape) << family;
      continue;
    }
    ASSERT_TRUE(shape) << family << ": " << shape.error().message;
    EXPECT_EQ(shape->model_type.value_or(""), expected.at("model_type").get<std::string>()) << family;
    EXPECT_EQ(shape->layers, expected.at("layers").get<std::int64_t>()) << family;
    EXPECT_EQ(shape->hidden_size.value_or(0), expected.at("hidden_size").get<std::int64_t>()) << family;
  }
}

TEST(ModelConfig, EveryFamilyOnDiskHasAnExpectation) {
  const auto expected = expectations();
  std::size_t families = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    ++families;
    EXPECT_TRUE(expected.contains(entry.path().filename().string())) << entry.path();
  }
  EXPECT_EQ(families, expected.size());
}

TEST(ModelConfig, NamesTheKeysItLookedFor) {
  const auto shape = parse_model_config(R"({"model_type":"bert","hidden_size":768})");
  ASSERT_FALSE(shape);
  for (const char* key : {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers", "text_config"})
    EXPECT_NE(shape.error().message.find(key), std::string::npos) << key;
}

TEST(ModelConfig, GoesOnWithoutAWidth) {
  EXPECT_EQ(parse_model_config(R"({"num_hidden_layers":12})"), (ModelShape{{}, 12, {}}));
}

TEST(ModelConfig, TakesPythonsNanAndInfinityButNotInTexts) {
  const auto shape = parse_model_config(
      R"({"model_type":"NaN \" Infinity","n_layer":64,"time_step_limit":[0.0, Infinity],"x":-Infinity,"y":NaN})");
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_EQ(*shape, (ModelShape{"NaN \" Infinity", 64, {}}));
}

TEST(ModelConfig, RefusesCountsThatAreNone) {
  for (const char* value : {"0", "-1", "12.0", "\"12\"", "null", "true", "[12]", "1e999", "99999999999", "{}"})
    EXPECT_FALSE(parse_model_config(std::string(R"({"num_hidden_layers":)") + value + "}")) << value;
}

TEST(ModelConfig, RefusesHostileTexts) {
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("null"), std::string("{\"num_hidden_layers\":12"),
        std::string(100'000, '['), std::string("{\"num_hidden_layers\":12,\"x\":\"\xff\"}"),
        std::string(5 * 1024 * 1024, ' '), std::string("\\"), std::string("\"\\")})
    EXPECT_FALSE(parse_model_config(text)) << text.substr(0, 60);
}

}  // namespace
}  // namespace sweetspot
