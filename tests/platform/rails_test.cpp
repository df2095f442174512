// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/rails.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/tree_attributes.hpp"

namespace sweetspot::tests {
namespace {

const std::string drivers = "/sys/bus/i2c/drivers/";

void add_channel(TreeAttributes& board, const std::string& device, const std::string& hwmon, const std::string& number,
                 const std::string& label, const std::string& volts, const std::string& amperes) {
  const std::string folder = drivers + "ina3221/" + device + "/hwmon/" + hwmon;
  if (!label.empty()) board.set(folder + "/in" + number + "_label", label);
  board.set(folder + "/in" + number + "_input", volts);
  board.set(folder + "/curr" + number + "_input", amperes);
}

std::vector<std::string> labels(const RailsFound& found) {
  std::vector<std::string> names;
  for (const RailSource& rail : found.rails) names.push_back(rail.label);
  return names;
}

TEST(FindRails, SortsByBusAndAddressAsNumbers) {
  TreeAttributes board;
  add_channel(board, "10-0040", "hwmon0", "1", "C", "5000", "1");
  add_channel(board, "2-0041", "hwmon1", "1", "B", "5000", "1");
  add_channel(board, "2-0040", "hwmon2", "1", "A", "5000", "1");
  EXPECT_THAT(labels(find_rails(board)), ::testing::ElementsAre("A", "B", "C"));
}

TEST(FindRails, TellsEqualLabelsApartByTheirDevice) {
  TreeAttributes board;
  add_channel(board, "1-0040", "hwmon0", "1", "VDD_IN", "5000", "1");
  add_channel(board, "1-0041", "hwmon1", "1", "VDD_IN", "5000", "1");
  add_channel(board, "1-0041", "hwmon1", "2", "VDD_SOC", "5000", "1");
  EXPECT_THAT(labels(find_rails(board)), ::testing::ElementsAre("1-0040/VDD_IN", "1-0041/VDD_IN", "VDD_SOC"));
}

TEST(FindRails, TellsEqualLabelsOfOneDeviceApartByTheirChannel) {
  TreeAttributes board;
  add_channel(board, "1-0040", "hwmon0", "1", "VDD_IN", "5000", "1");
  add_channel(board, "1-0040", "hwmon0", "3", "VDD_IN", "5000", "1");
  EXPECT_THAT(labels(find_rails(board)), ::testing::ElementsAre("1-0040/in1/VDD_IN", "1-0040/in3/VDD_IN"));
}

TEST(FindRails, TakesNoLabelForOneThatItMadeItself) {
  TreeAttributes board;
  add_channel(board, "1-0040", "hwmon0", "1", "A", "5000", "1");
  add_channel(board, "1-0041", "hwmon1", "1", "A", "5000", "1");
  add_channel(board, "1-0041", "hwmon1", "2", "1-0040/A", "5000", "1");
  EXPECT_THAT(labels(find_rails(board)), ::testing::ElementsAre("1-0040/1-0040/A", "1-0041/A", "1-0041/1-0040/A"));
}

TEST(FindRails, KeepsControlCharactersOutOfLabels) {
  TreeAttributes board;
  add_channel(board, "1-0040", "hwmon0", "1", "VDD\x1b[2J\xc2\x9b\xff", "5000", "1");
  EXPECT_THAT(labels(find_rails(board)), ::testing::ElementsAre("VDD?[2J???"));
}

TEST(FindRails, LeavesOutSumsAndUnconnectedChannels) {
  TreeAttributes board;
  add_channel(board, "1-0040", "hwmon0", "1", "NC", "0", "0");
  add_channel(board, "1-0040", "hwmon0", "2", "sum of shunt voltages", "0", "0");
  const RailsFound found = find_rails(board);
  EXPECT_TRUE(found.rails.empty());
  EXPECT_EQ(found.left_out.at(0).reason, "is not connected");
  EXPECT_EQ(found.left_out.at(1).reason, "is a sum of other channels");
}

TEST(FindRails, TakesNoFolderForADevice) {
  TreeAttributes board;
  for (const char* name : {"bind", "1-40", "1-00400", "x-0040", "-0040", "1-zzzz", "1_0040", "module"}) {
    board.set(drivers + "ina3221/" + name + "/hwmon/hwmon0/in1_label", "VDD_IN");
  }
  const RailsFound found = find_rails(board);
  EXPECT_TRUE(found.rails.empty());
  EXPECT_TRUE(found.left_out.empty());
}

TEST(FindRails, FindsNothingWithoutMonitors) {
  EXPECT_TRUE(find_rails(TreeAttributes()).rails.empty());
}

class RailReaderTest : public ::testing::Test {
 protected:
  RailReaderTest() { add_channel(board, "1-0040", "hwmon3", "1", "VDD_GPU_SOC", "19904", "160"); }
  RailReader reader() { return RailReader::open(board, find_rails(board).rails.at(0)).value(); }
  TreeAttributes board;
};

TEST_F(RailReaderTest, MultipliesMillivoltsAndMilliamperes) {
  EXPECT_DOUBLE_EQ(reader().read().value().value, 3.18464);
}

TEST_F(RailReaderTest, KeepsNegativePower) {
  add_channel(board, "1-0040", "hwmon3", "1", "VDD_GPU_SOC", "19904", "-20");
  EXPECT_DOUBLE_EQ(reader().read().value().value, -0.39808);
}

TEST_F(RailReaderTest, PassesErrorsOnAndGoesOnAfterThem) {
  RailReader rail = reader();
  board.set_error(drivers + "ina3221/1-0040/hwmon/hwmon3/curr1_input", ETIMEDOUT);
  EXPECT_EQ(rail.read().error().code, ETIMEDOUT);
  board.set(drivers + "ina3221/1-0040/hwmon/hwmon3/curr1_input", "180");
  EXPECT_TRUE(rail.read());
}

TEST_F(RailReaderTest, RefusesATextThatIsNoNumber) {
  RailReader rail = reader();
  board.set(drivers + "ina3221/1-0040/hwmon/hwmon3/in1_input", "19904mV");
  EXPECT_FALSE(rail.read());
}

TEST_F(RailReaderTest, FindsItsRailAgainUnderAnotherHwmonNumber) {
  RailReader rail = reader();
  board.remove(drivers + "ina3221/1-0040/hwmon/hwmon3");
  add_channel(board, "1-0040", "hwmon0", "1", "VDD_GPU_SOC", "19904", "320");
  EXPECT_DOUBLE_EQ(rail.read().value().value, 6.36928);
}

TEST_F(RailReaderTest, SaysThatItsRailIsGoneUntilItIsBack) {
  RailReader rail = reader();
  board.remove(drivers + "ina3221");
  EXPECT_EQ(rail.read().error().message, "rail VDD_GPU_SOC at 1-0040 is gone");
  EXPECT_FALSE(rail.read());
  add_channel(board, "1-0040", "hwmon7", "1", "VDD_GPU_SOC", "19904", "160");
  EXPECT_TRUE(rail.read());
}

}  // namespace
}  // namespace sweetspot::tests
