// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "places.hpp"
#include "simulator/machine.hpp"
#include "support/temporary_folder.hpp"

namespace sweetspot {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* device = "/sys/devices/platform/bus@0/17000000.gpu";
constexpr const char* node = "/sys/class/devfreq/17000000.gpu/";

Board recorded(const std::string& name) {
  auto board = load_board(SWEETSPOT_SOURCE_DIR "/tests/data/" + name);
  if (board) return std::move(*board);
  ADD_FAILURE() << board.error().message;
  return *find_board("agx-orin-64-jp6");
}

/// A board from the text of a tree: AGX Orin's recording and more lines.
Board recorded_with(const std::string& more) {
  std::ifstream tree(SWEETSPOT_SOURCE_DIR "/tests/data/agx-orin-jp6/tree.txt");
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/tree.txt") << tree.rdbuf() << more;
  auto board = load_board(folder.path());
  if (board) return std::move(*board);
  ADD_FAILURE() << board.error().message;
  return *find_board("agx-orin-64-jp6");
}

class Played {
 public:
  explicit Played(Board board, MachineOptions options = {.sensor_noise = false})
      : machine(std::move(board), options, Instant{}) {
    machine.advance(Instant{} + std::chrono::seconds(1));
  }
  std::string text(const std::string& path) {
    const NodeId id = machine.tree().resolve(path);
    if (id == 0) return "<missing>";
    const auto shown = machine.show(id, {});
    return shown ? *shown : "<errno " + std::to_string(shown.error()) + ">";
  }
  int write(const std::string& path, const std::string& value) {
    return machine.store(machine.tree().resolve(path), value, {});
  }
  void control(const std::string& line) {
    const auto done = machine.control(line, {});
    EXPECT_TRUE(done) << done.error().message;
  }
  Machine machine;
};

TEST(CopiedBoard, ShowsClocksLimitsAndModeAsRecorded) {
  Played board(recorded("agx-orin-jp6"));
  EXPECT_EQ(board.text(std::string(node) + "max_freq"), "816000000\n");
  EXPECT_EQ(board.text(std::string(node) + "min_freq"), "306000000\n");
  EXPECT_THAT(board.text(std::string(node) + "available_frequencies"), HasSubstr("1300500000"));
  EXPECT_EQ(board.text("/var/lib/nvpmodel/status"), "pmode:0003\n");
  EXPECT_EQ(board.text("/sys/class/hwmon/hwmon5/oc3_event_cnt"), "2\n");
  EXPECT_EQ(board.text("/sys/class/thermal/thermal_zone8/temp"), "49312\n");
}

TEST(CopiedBoard, HasTheRecordedFilesAndNoOthers) {
  const Board board = recorded("agx-orin-jp6");
  Played played(board);
  for (const auto& [path, file] : board.copy.files()) EXPECT_NE(played.machine.tree().exactly(path), 0U) << path;
  for (const char* path : {"/sys/class/devfreq/17000000.gpu/timer", "/sys/bus/i2c/devices/1-0040",
                           "/sys/devices/platform/bus@0/17000000.gpu/railgate_delay"})
    EXPECT_EQ(played.text(path), "<missing>") << path;
  EXPECT_THAT(played.text(std::string(node) + "trans_stat"), HasSubstr("Total transition"));
}

TEST(CopiedBoard, AnswersWritesAsTheKernelDoes) {
  Played board(recorded("agx-orin-jp6"));
  EXPECT_EQ(board.write(std::string(node) + "min_freq", "612000000\n"), 0);
  EXPECT_EQ(board.write(std::string(node) + "max_freq", "612000000\n"), 0);
  EXPECT_EQ(board.text(std::string(node) + "min_freq"), "612000000\n");
  Played old(recorded("agx-xavier-jp4"));
  EXPECT_EQ(old.write("/sys/class/devfreq/17000000.gv11b/max_freq", "318750000\n"), 0);
  EXPECT_EQ(old.write("/sys/class/devfreq/17000000.gv11b/min_freq", "905250000\n"), EINVAL);
}

TEST(CopiedBoard, DrawsMorePowerUnderALoad) {
  Played board(recorded("agx-orin-jp6"));
  const std::string current = "/sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/curr1_input";
  const double idle = std::stod(board.text(current));
  const auto cool = board.text("/sys/class/thermal/thermal_zone8/temp");
  EXPECT_EQ(board.text(std::string(device) + "/load"), "0\n");
  board.control("load start " + workloads().front().id);
  board.machine.advance(Instant{} + std::chrono::seconds(3));
  EXPECT_GT(std::stod(board.text(current)), idle);
  EXPECT_GT(std::stod(board.text("/sys/class/thermal/thermal_zone8/temp")), std::stod(cool));
  EXPECT_NE(board.text(std::string(device) + "/load"), "0\n");
}

TEST(CopiedBoard, KeepsErrorsOfRecordedReads) {
  Played board(recorded("agx-orin-jp6"));
  const std::string no_data = "<errno " + std::to_string(ENODATA) + ">";
  EXPECT_EQ(board.text("/sys/bus/i2c/drivers/ina3221/1-0041/hwmon/hwmon4/in1_input"), no_data);
  EXPECT_EQ(board.text("/sys/class/thermal/thermal_zone1/temp"), "<errno " + std::to_string(EAGAIN) + ">");
  EXPECT_EQ(board.text("/sys/bus/i2c/drivers/ina3221/bind"), "<errno " + std::to_string(EACCES) + ">");
}

TEST(CopiedBoard, ChangesToAPowerModeOfItsOwnConfiguration) {
  Played board(
      recorded_with("/etc/nvpmodel.conf = < POWER_MODEL ID=0 NAME=MAXN >\\nGPU MAX_FREQ -1\\n"
                    "< POWER_MODEL ID=9 NAME=MODE_9W >\\nGPU MAX_FREQ 408000000\n"));
  board.control("power-mode 9");
  EXPECT_EQ(board.text(std::string(node) + "max_freq"), "408000000\n");
  board.control("power-mode 0");
  EXPECT_EQ(board.text(std::string(node) + "max_freq"), "1300500000\n");
}

TEST(CopiedBoard, StartsInAModeThatIsAskedFor) {
  Board board = recorded_with("/etc/nvpmodel.conf = < POWER_MODEL ID=9 NAME=MODE_9W >\\nGPU MAX_FREQ 408000000\n");
  Played played(std::move(board), {.power_mode = 9});
  EXPECT_EQ(played.text(std::string(node) + "max_freq"), "408000000\n");
  EXPECT_EQ(played.text("/var/lib/nvpmodel/status"), "pmode:0009\n");
}

TEST(CopiedBoard, HasItsFilesAgainWhenTheDriverComesBack) {
  const Board board = recorded("agx-orin-jp6");
  Played played(board);
  played.control("gpu vanish");
  EXPECT_EQ(played.text(std::string(node) + "governor"), "<missing>");
  played.control("gpu appear");
  for (const auto& [path, file] : board.copy.files()) EXPECT_NE(played.machine.tree().exactly(path), 0U) << path;
  EXPECT_EQ(played.text(std::string(node) + "timer"), "<missing>");
}

TEST(CopiedBoard, NamesTheNearestKnownBoardAsTheSourceOfItsPhysics) {
  EXPECT_THAT(recorded("agx-orin-jp6").notes.front(), HasSubstr("agx-orin-64-jp6"));
  EXPECT_THAT(recorded("agx-xavier-jp4").notes.front(), HasSubstr("agx-xavier-jp4"));
  EXPECT_THAT(recorded("thor-jp7").notes.front(), HasSubstr("agx-thor-jp7"));
  EXPECT_THAT(recorded("nano-jp4").notes.front(), HasSubstr("nano-jp4"));
  EXPECT_THAT(recorded("orin-nx").notes.front(), HasSubstr("orin-nx-16-jp6"));
}

TEST(CopiedBoard, WarnsOfASocNobodyKnows) {
  const Board board =
      recorded_with("/sys/firmware/devicetree/base/compatible = nvidia,p9999-0000\\0nvidia,tegra999\\0\n");
  EXPECT_THAT(board.notes, Contains(HasSubstr("no board with its SoC is known")));
  EXPECT_FALSE(Played(board).text(std::string(node) + "max_freq").empty());
}

TEST(CopiedBoard, LeavesARailItDoesNotKnowAtItsRecordedReading) {
  const std::string hwmon = "/sys/devices/platform/bus@0/c240000.i2c/i2c-1/1-0040/hwmon/hwmon3/";
  const Board board = recorded_with(hwmon + "in3_label = VDD_CARRIER\n");
  EXPECT_THAT(board.fixed_rails, ElementsAre("VDD_CARRIER"));
  EXPECT_THAT(board.notes, Contains(HasSubstr("VDD_CARRIER")));
  Played played(board);
  EXPECT_EQ(played.text(hwmon + "curr3_input"), "700\n");
  EXPECT_EQ(played.text(hwmon + "in3_input"), "4968\n");
}

TEST(CopiedBoard, TakesVoltageAndShuntFromTheRecording) {
  const std::string hwmon = "/sys/devices/platform/bus@0/c240000.i2c/i2c-1/1-0040/hwmon/hwmon3/";
  Played board(recorded_with(hwmon + "in1_input = 12000\n" + hwmon + "shunt1_resistor = 5000\n"));
  EXPECT_EQ(board.text(hwmon + "in1_input"), "12000\n");
  // Steps of 8 mA: 40 µV over 5 mΩ.
  EXPECT_EQ(std::stoi(board.text(hwmon + "curr1_input")) % 8, 0);
}

TEST(CopiedBoard, IsRefusedWithoutAGpu) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.path() + "/tree.txt") << "/sys/firmware/devicetree/base/model = x\\0\n";
  const auto board = load_board(folder.path());
  ASSERT_FALSE(board);
  EXPECT_THAT(board.error().message, HasSubstr("no GPU devfreq node"));
}

TEST(LoadBoard, TakesIdsAsBefore) {
  EXPECT_EQ(load_board("nano-jp4")->id, "nano-jp4");
  EXPECT_THAT(load_board("toaster").error().message, HasSubstr("unknown board 'toaster'"));
  EXPECT_THAT(load_board("absent/board.tar").error().message, HasSubstr("absent/board.tar"));
}

}  // namespace
}  // namespace sweetspot
