// SPDX-License-Identifier: Apache-2.0
#include "wire/json_text.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

std::string problem_of(std::string_view text) {
  const auto read = read_json(text);
  if (!read) return "refused";
  return read->problem ? read->problem->place + ": " + read->problem->what : "none";
}

TEST(JsonText, NamesThePlaceOfARepeatedKey) {
  EXPECT_EQ(problem_of(R"({"a":{"b":[0,{"c":1,"c":2}]}})"), "a.b[1].c: the key stands here twice");
  EXPECT_EQ(problem_of(R"([{"a":1},{"a":1}])"), "none");
}

TEST(JsonText, KeepsTheFirstValueOfARepeatedKey) {
  const auto read = read_json(R"({"a":1,"a":{"b":[2]},"c":3})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->root, Json::parse(R"({"a":1,"c":3})"));
}

TEST(JsonText, NamesThePlaceOfANumberThatIsTooLarge) {
  EXPECT_EQ(problem_of(R"({"a":[1,-1e999],"b":1e999})"), "a[1]: the number is too large");
  EXPECT_EQ(problem_of("1e999"), ": the number is too large");
}

TEST(JsonText, TakesSmallNumbersForZero) {
  EXPECT_EQ(problem_of("[1e-999]"), "none");
}

TEST(JsonText, KeepsWhatFollowsTooDeepNesting) {
  const auto read = read_json(R"({"a":[[[1]]],"b":2})", JsonRules{.most_depth = 3});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->root["b"], 2);
  ASSERT_TRUE(read->problem);
  EXPECT_EQ(read->problem->place, "a[0][0]");
}

TEST(JsonText, TakesCommentsOnlyWhereTheyAreAllowed) {
  EXPECT_FALSE(read_json("// x\n7"));
  EXPECT_TRUE(read_json("// x\n7 /* y */", JsonRules{.comments = true}));
}

TEST(JsonText, ClipsLongTextsBetweenCharacters) {
  EXPECT_EQ(clipped("short"), "short");
  std::string snowmen;
  for (int i = 0; i < 50; ++i) snowmen += "☃";
  EXPECT_EQ(Json(clipped("x" + snowmen)).dump().find("\\ufffd"), std::string::npos);
  EXPECT_LE(clipped(snowmen).size(), 63U);
}

}  // namespace
}  // namespace sweetspot
