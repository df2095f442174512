// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/board.hpp"

#include <gtest/gtest.h>

#include <set>

#include "simulator/machine.hpp"

namespace sweetspot {
namespace {

Machine machine(const std::string& id) {
  return Machine(*find_board(id), {}, Instant{});
}

std::string text(Machine& board, const std::string& path) {
  const NodeId id = board.tree().resolve(path);
  if (id == 0) return "<missing>";
  const auto shown = board.show(id, {});
  return shown ? *shown : "<errno " + std::to_string(shown.error()) + ">";
}

TEST(Boards, AreTheNineAndHaveDistinctIds) {
  std::set<std::string> ids;
  for (const auto& board : boards()) ids.insert(board.id);
  EXPECT_EQ(ids, (std::set<std::string>{"agx-orin-64-jp5", "agx-orin-64-jp6", "agx-orin-64-jp7", "agx-orin-32-jp6",
                                        "orin-nx-16-jp6", "orin-nano-super-jp6", "agx-xavier-jp4", "nano-jp4",
                                        "agx-thor-jp7"}));
}

TEST(Boards, EachHasAValidTableAndAnUncappedInitialMode) {
  for (const auto& board : boards()) {
    SCOPED_TRACE(board.id);
    const auto table = FrequencyTable::from(board.gpu.node.clocks);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->clocks().size(), board.gpu.node.clocks.size());
    for (const auto& mode : board.modes) {
      if (mode.id == board.initial_mode) {
        EXPECT_EQ(mode.gpu_cap_hz, 0U);
      }
    }
  }
}

TEST(Boards, EachShowsItsGpuUnderTheClassFolder) {
  for (const auto& board : boards()) {
    SCOPED_TRACE(board.id);
    Machine played = machine(board.id);
    const std::string node = "/sys/class/devfreq/" + board.gpu.node.name;
    EXPECT_EQ(text(played, node + "/min_freq"), std::to_string(board.gpu.node.clocks.front().value) + "\n");
    EXPECT_EQ(text(played, node + "/max_freq"), std::to_string(board.gpu.node.clocks.back().value) + "\n");
    EXPECT_EQ(text(played, node + "/governor"), "nvhost_podgov\n");
    EXPECT_NE(text(played, "/etc/nv_tegra_release").find("(release)"), std::string::npos);
    for (const auto& alias : board.gpu.aliases) {
      EXPECT_EQ(played.tree().resolve("/sys/" + alias), played.tree().resolve(node + "/device"));
    }
    for (const auto& neighbour : board.neighbours) {
      EXPECT_NE(text(played, "/sys/class/devfreq/" + neighbour.name + "/max_freq"), "<missing>");
    }
  }
}

TEST(Boards, EachRailCanBeReadWhereItsDriverIs) {
  for (const auto& board : boards()) {
    SCOPED_TRACE(board.id);
    Machine played = machine(board.id);
    played.advance(Instant{} + std::chrono::seconds(1));
    for (const auto& monitor : board.monitors) {
      const bool iio = monitor.layout == PowerMonitor::Layout::iio_ina3221x;
      const bool thor_input = monitor.layout == PowerMonitor::Layout::hwmon_ina238;
      const std::string driver = iio ? "ina3221x" : thor_input ? "ina238" : "ina3221";
      const std::string device = "/sys/bus/i2c/drivers/" + driver + "/" + monitor.address;
      const std::string folder = device + (iio ? "/iio:device" : "/hwmon/hwmon") + std::to_string(monitor.number) + "/";
      EXPECT_EQ(text(played, folder + "name"), driver + "\n");
      EXPECT_NE(text(played, folder + (iio          ? "in_current0_input"
                                       : thor_input ? "power1_input"
                                                    : "curr2_input"))
                    .front(),
                '<');
    }
  }
}

TEST(AgxOrinJp6, HidesLabelsOfUnusedChannelsAndAnswersNoData) {
  Machine board = machine("agx-orin-64-jp6");
  const std::string folder = "/sys/bus/i2c/drivers/ina3221/1-0041/hwmon/hwmon4/";
  EXPECT_EQ(text(board, folder + "in1_label"), "<missing>");
  EXPECT_EQ(text(board, folder + "in1_input"), "<errno " + std::to_string(ENODATA) + ">");
  EXPECT_EQ(text(board, folder + "in2_label"), "VDDQ_VDD2_1V8AO\n");
  EXPECT_EQ(text(board, folder + "in7_label"), "sum of shunt voltages\n");
}

TEST(AgxOrinJp5, CallsUnusedChannelsNc) {
  Machine board = machine("agx-orin-64-jp5");
  EXPECT_EQ(text(board, "/sys/bus/i2c/drivers/ina3221/1-0041/hwmon/hwmon2/in1_label"), "NC\n");
  EXPECT_EQ(text(board, "/sys/devices/17000000.ga10b/devfreq_dev/name"), "17000000.ga10b\n");
}

TEST(AgxThor, HasNoLoadFileNoDeviceTreeNameAndMicrowatts) {
  Machine board = machine("agx-thor-jp7");
  board.advance(Instant{} + std::chrono::seconds(1));
  const std::string device = "/sys/class/devfreq/gpu-gpc-0/device/";
  EXPECT_EQ(text(board, device + "load"), "<missing>");
  EXPECT_EQ(text(board, device + "of_node/name"), "<missing>");
  EXPECT_GT(std::stoll(text(board, "/sys/bus/i2c/drivers/ina238/2-0044/hwmon/hwmon3/power1_input")), 1'000'000);
}

TEST(AgxXavier, FollowsTheOldKernelAndListsRailsFromZero) {
  Machine board = machine("agx-xavier-jp4");
  EXPECT_EQ(text(board, "/sys/bus/i2c/drivers/ina3221x/1-0040/iio:device0/rail_name_0"), "GPU\n");
  EXPECT_EQ(text(board, "/sys/class/devfreq/17000000.gv11b/name"), "<missing>");
  const NodeId max = board.tree().resolve("/sys/class/devfreq/17000000.gv11b/max_freq");
  const NodeId min = board.tree().resolve("/sys/class/devfreq/17000000.gv11b/min_freq");
  EXPECT_EQ(board.store(max, "318750000\n", {}), 0);
  EXPECT_EQ(board.store(min, "905250000\n", {}), EINVAL);
}

TEST(Boards, TheDeviceTreeNamesTheBoardWithANul) {
  Machine board = machine("agx-orin-64-jp6");
  EXPECT_EQ(text(board, "/sys/firmware/devicetree/base/model"),
            std::string("NVIDIA Jetson AGX Orin Developer Kit") + '\0');
  EXPECT_EQ(text(board, "/sys/class/devfreq/17000000.gpu/device/of_node/name"), std::string("gpu") + '\0');
}

TEST(Boards, AnUnknownIdIsRefusedWithTheKnownOnes) {
  const auto board = find_board("agx-orin");
  ASSERT_FALSE(board);
  EXPECT_NE(board.error().message.find("agx-orin-64-jp6"), std::string::npos);
}

TEST(Boards, LinksEndWithTheirTargetsNameAsSysfsMakesThem) {
  Machine board = machine("agx-orin-64-jp6");
  const NodeId folder = board.tree().resolve("/sys/class/devfreq/17000000.gpu");
  EXPECT_EQ(board.tree().node(board.tree().child(folder, "device")).target, "../../../17000000.gpu");
}

}  // namespace
}  // namespace sweetspot
