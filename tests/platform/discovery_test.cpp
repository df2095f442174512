// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/gpu_load.hpp"
#include "sweetspot/platform/power_mode.hpp"
#include "sweetspot/platform/thermal.hpp"
#include "tests/support/memory_attributes.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::HasSubstr;

void add_node(TreeAttributes& board, const std::string& name) {
  const std::string node = "/sys/class/devfreq/" + name;
  board.set(node + "/available_frequencies", "306000000 408000000");
  board.set(node + "/min_freq", "306000000");
  board.set(node + "/max_freq", "408000000");
  board.set(node + "/governor", "nvhost_podgov");
}

TEST(FindGpu, SaysWhatItLookedAt) {
  TreeAttributes board;
  EXPECT_THAT(find_gpu(board, {}).error().message, HasSubstr("GPU not ready: list /sys/class/devfreq/"));
  add_node(board, "15340000.vic");
  add_node(board, "gpu-nvd-0");
  EXPECT_THAT(find_gpu(board, {}).error().message, HasSubstr("/sys/class/devfreq holds only 15340000.vic, gpu-nvd-0"));
}

TEST(FindGpu, TakesNoOtherNodeForTheGpu) {
  for (const char* name : {"15340000.vic", "15480000.nvenc", "bwmgr", "gpu-nvd-0", "gpu-gpc-", "gpu-gpc-0x", "gpu",
                           ".gpu", "1700000g.gpu", "17000000.gpu2", "devfreq0"}) {
    TreeAttributes board;
    add_node(board, name);
    EXPECT_FALSE(find_gpu(board, {})) << name;
  }
}

TEST(FindGpu, TakesANodeByItsName) {
  for (const char* name : {"57000000.gpu", "17000000.gp10b", "17000000.gv11b", "17000000.ga10b", "gpu-gpc-0"}) {
    TreeAttributes board;
    add_node(board, name);
    EXPECT_EQ(find_gpu(board, {}).value().name, name);
  }
}

TEST(FindGpu, TakesANumberedNodeByItsDeviceTreeName) {
  TreeAttributes board;
  add_node(board, "devfreq3");
  board.set("/sys/class/devfreq/devfreq3/device/of_node/name", std::string("ga10b\0", 6));
  EXPECT_EQ(find_gpu(board, {}).value().name, "devfreq3");
}

TEST(FindGpu, WantsAllFourFilesReadable) {
  for (const char* file : {"available_frequencies", "min_freq", "max_freq", "governor"}) {
    TreeAttributes board;
    add_node(board, "17000000.gpu");
    board.set_error(std::string("/sys/class/devfreq/17000000.gpu/") + file, EIO);
    EXPECT_THAT(find_gpu(board, {}).error().message, HasSubstr(file));
  }
}

TEST(FindGpuFolder, KnowsANodeThatItsDriverHasNotFilledYet) {
  TreeAttributes board;
  add_node(board, "15340000.vic");
  EXPECT_FALSE(find_gpu_folder(board));
  add_node(board, "17000000.gpu");
  board.set_error("/sys/class/devfreq/17000000.gpu/governor", EINVAL);
  EXPECT_FALSE(find_gpu(board, {}));
  EXPECT_EQ(find_gpu_folder(board).value(), "/sys/class/devfreq/17000000.gpu");
}

TEST(FindGpuFolder, TakesTheConfiguredOneAndNoOther) {
  TreeAttributes board;
  add_node(board, "17000000.gpu");
  add_node(board, "devfreq7");
  EXPECT_EQ(find_gpu_folder(board, "/sys/class/devfreq/devfreq7").value(), "/sys/class/devfreq/devfreq7");
  EXPECT_FALSE(find_gpu_folder(board, "/sys/class/devfreq/devfreq8"));
}

TEST(FindGpu, RefusesATableItCannotRead) {
  for (const char* table : {"", " ", "0", "abc", "306000000,408000000"}) {
    TreeAttributes board;
    add_node(board, "17000000.gpu");
    board.set("/sys/class/devfreq/17000000.gpu/available_frequencies", table);
    EXPECT_FALSE(find_gpu(board, {})) << table;
  }
}

TEST(FindGpu, TriesNothingElseThanAConfiguredPath) {
  TreeAttributes board;
  add_node(board, "17000000.gpu");
  add_node(board, "odd");
  EXPECT_EQ(find_gpu(board, {}, "/sys/class/devfreq/odd").value().name, "odd");
  EXPECT_THAT(find_gpu(board, {}, "/sys/class/devfreq/none").error().message, HasSubstr("configured path"));
}

TEST(LoadReader, CountsPerMilleAsPerCent) {
  MemoryAttributes board(DevfreqKernel::v5_10);
  auto load = LoadReader::open(board, find_gpu(board, {}).value()).value();
  board.set(MemoryAttributes::device + "/load", "873");
  EXPECT_DOUBLE_EQ(load.read().value(), 87.3);
  for (const char* text : {"1001", "-1", "", "50%"}) {
    board.set(MemoryAttributes::device + "/load", text);
    EXPECT_FALSE(load.read()) << text;
  }
}

TEST(LoadReader, IsNotThereWithoutALoadFile) {
  TreeAttributes board;
  add_node(board, "gpu-gpc-0");
  EXPECT_FALSE(LoadReader::open(board, find_gpu(board, {}).value()));
}

TEST(L4tRelease, ComesFromTheFirstLine) {
  EXPECT_EQ(l4t_release("# R36 (release), REVISION: 4.7, GCID: 1"), "36.4.7");
  EXPECT_EQ(l4t_release("# R32 (release), REVISION: 7.1"), "32.7.1");
  for (const char* text : {"", "# R", "# R36", "# R (release), REVISION: 4.7",
                           "# R36, REVISION: ", "R36, REVISION: 4.7", "# R36 (release)\nREVISION: 4.7"}) {
    EXPECT_EQ(l4t_release(text), "") << text;
  }
}

TEST(JetpackOf, KnowsReleasesAndOnlyThose) {
  EXPECT_EQ(jetpack_of("35.1.0"), "5.0.2");
  EXPECT_EQ(jetpack_of("36.4"), "");
  EXPECT_EQ(jetpack_of(""), "");
}

TEST(PowerModeStatus, IsTheNumberAfterPmode) {
  EXPECT_EQ(parse_power_mode_status("pmode:0002"), 2);
  EXPECT_EQ(parse_power_mode_status("pmode:0013 fmode:quiet"), 13);
  for (const char* text : {"", "pmode:", "pmode:x", "pmode:-1", "mode:1", "pmode:99999999999"}) {
    EXPECT_EQ(parse_power_mode_status(text), std::nullopt) << text;
  }
}

TEST(PowerModeNames, ComeFromTheHeadersOfModes) {
  const auto names = parse_power_mode_names(
      "# < POWER_MODEL ID=9 NAME=COMMENT >\n< POWER_MODEL ID=0 NAME=MAXN >\r\n  < POWER_MODEL ID=1 NAME=15W>\n"
      "< POWER_MODEL ID=x NAME=BAD >\n< POWER_MODEL ID=3 >\nGPU MAX_FREQ -1\n< PM_CONFIG DEFAULT=2 >");
  EXPECT_EQ(names, (std::map<int, std::string>{{0, "MAXN"}, {1, "15W"}}));
}

TEST(PowerModeText, IsTheNameOrElseTheNumber) {
  EXPECT_EQ(to_text(PowerMode{2, "MODE_30W"}), "MODE_30W");
  EXPECT_EQ(to_text(PowerMode{2, ""}), "mode 2");
}

TEST(CoolingDevices, CountOnlyWhatSlowsTheGpu) {
  TreeAttributes board;
  const std::string thermal = "/sys/class/thermal/cooling_device";
  const char* const types[] = {"cpufreq-cpu0", "pwm-fan", "devfreq-17000000.gpu", "gpu-throttle-alert"};
  for (int i = 0; i < 4; ++i) {
    board.set(thermal + std::to_string(i) + "/type", types[i]);
    board.set(thermal + std::to_string(i) + "/cur_state", "1");
  }
  const CoolingDevices devices = CoolingDevices::find(board);
  EXPECT_THAT(devices.active(), ::testing::ElementsAre("devfreq-17000000.gpu", "gpu-throttle-alert"));
  board.set(thermal + "2/cur_state", "0");
  board.set_error(thermal + "3/cur_state", EIO);
  EXPECT_THAT(devices.active(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace sweetspot::tests
