// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "places.hpp"
#include "sweetspot/platform/discovery_text.hpp"
#include "tests/support/recorded_attributes.hpp"

namespace sweetspot::tests {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> recorded_boards() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(SWEETSPOT_SOURCE_DIR "/tests/data")) {
    if (fs::exists(entry.path() / "tree.txt")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class RecordedBoard : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Boards, RecordedBoard, ::testing::ValuesIn(recorded_boards()), [](const auto& board) {
  std::string name = board.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

TEST_P(RecordedBoard, IsDiscoveredAsExpected) {
  const std::string folder = SWEETSPOT_SOURCE_DIR "/tests/data/" + GetParam();
  std::ifstream file(folder + "/expected.txt");
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(discovery_text(RecordedAttributes::from_file(folder + "/tree.txt")), expected.str());
}

TEST(RecordedBoards, AreSevenAtLeast) {
  EXPECT_GE(recorded_boards().size(), 7U);
}

}  // namespace
}  // namespace sweetspot::tests
