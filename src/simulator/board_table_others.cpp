// SPDX-License-Identifier: Apache-2.0
#include "simulator/board_pieces.hpp"

namespace sweetspot {

namespace {

using Kernel = DevfreqModel::Kernel;
using Layout = PowerMonitor::Layout;

const std::vector<std::string> jp4_governors{"nvhost_podgov", "performance", "userspace", "simple_ondemand"};

}  // namespace

std::vector<Hertz> stepped(double low_mhz, double high_mhz, int count) {
  std::vector<Hertz> clocks;
  clocks.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) clocks.push_back(megahertz(low_mhz + (high_mhz - low_mhz) * i / (count - 1)));
  return clocks;
}

Board agx_xavier_jp4() {
  Board board;
  board.id = "agx-xavier-jp4";
  board.summary = "Jetson AGX Xavier, JetPack 4.6.1, kernel 4.9 (min > max is refused, rails as IIO devices)";
  board.model = "Jetson-AGX";
  board.compatible = {"nvidia,p2972-0000", "nvidia,tegra194"};
  board.release =
      "# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t186ref, EABI: aarch64, DATE: Sat Feb 19 17:07:00 UTC "
      "2022";
  board.kernel = Kernel::v4_9;
  board.gpu = {.node = {"devices/17000000.gv11b", "17000000.gv11b", "gv11b", {}},
               .aliases = {"devices/gpu.0"},
               .governors = jp4_governors,
               .scaling_3d = true,
               .full_attributes = false};
  for (const double mhz : {114.75, 216.75, 318.75, 420.75, 522.75, 624.75, 675.75, 828.75, 905.25, 1032.75, 1198.5,
                           1236.75, 1338.75, 1377.0}) {
    board.gpu.node.clocks.push_back(megahertz(mhz));
  }
  board.neighbours = {{"devices/13e10000.host1x/15340000.vic", "15340000.vic", "vic", stepped(115.2, 1036.8, 5)},
                      {"devices/13e10000.host1x/15a80000.nvenc", "15a80000.nvenc", "nvenc", stepped(115.2, 1036.8, 5)}};
  const std::string adapter = "devices/c240000.i2c/i2c-1";
  board.monitors = {{.layout = Layout::iio_ina3221x,
                     .adapter = adapter,
                     .address = "1-0040",
                     .of_fullname = "/i2c@c240000/ina3221x@40",
                     .number = 0,
                     .shunt_milliohm = 5,
                     .channels = {{.label = "GPU", .volts = 19.096, .parts = {.gpu = 1}},
                                  {.label = "CPU", .volts = 19.096, .parts = {.cpu = 1}},
                                  {.label = "SOC", .volts = 19.096, .parts = {.traffic = 1, .system = 0.3}}}},
                    {.layout = Layout::iio_ina3221x,
                     .adapter = adapter,
                     .address = "1-0041",
                     .of_fullname = "/i2c@c240000/ina3221x@41",
                     .number = 1,
                     .shunt_milliohm = 5,
                     .channels = {{.label = "CV", .volts = 19.096, .parts = {}},
                                  {.label = "VDDRQ", .volts = 4.8, .parts = {.dram = 1}},
                                  {.label = "SYS5V", .volts = 5.0, .parts = {.system = 0.7}}}}};
  board.modes = {{0, "MAXN", 0, 0},
                 {1, "MODE_10W", 522750000, 0},
                 {2, "MODE_15W", 675750000, 0},
                 {3, "MODE_30W_ALL", 905250000, 0}};
  board.configured_mode = 2;
  board.thermal_prefix_style = "CPU-therm";
  // 512 Volta cores; powers chosen to give published AGX Xavier training powers of 6 to 25 W (assumption).
  board.power = {.throughput = 0.25,
                 .gpu_gated = 0.2,
                 .gpu_idle = 0.6,
                 .gpu_base = 1.5,
                 .gpu_per_mhz = 0.0055,
                 .traffic = 3,
                 .cpu_idle = 0.5,
                 .system_idle = 2.5,
                 .system_working = 3,
                 .system_memory = 1.5,
                 .dram_idle = 0.3,
                 .dram_memory = 1.2};
  return board;
}

Board nano_jp4() {
  Board board;
  board.id = "nano-jp4";
  board.summary = "Jetson Nano 4 GB, JetPack 4.6.1, kernel 4.9 (the 5 W mode's cap is off the table)";
  board.model = "NVIDIA Jetson Nano Developer Kit";
  board.compatible = {"nvidia,p3450-0000", "nvidia,jetson-nano", "nvidia,tegra210"};
  board.release =
      "# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t210ref, EABI: aarch64, DATE: Sat Feb 19 17:05:08 UTC "
      "2022";
  board.kernel = Kernel::v4_9;
  board.gpu = {.node = {"devices/57000000.gpu", "57000000.gpu", "gpu", stepped(76.8, 921.6, 12)},
               .aliases = {"devices/gpu.0"},
               .governors = jp4_governors,
               .scaling_3d = true,
               .full_attributes = false};
  board.neighbours = {{"devices/50000000.host1x/54340000.vic", "54340000.vic", "vic", stepped(140.8, 627.2, 4)}};
  board.monitors = {{.layout = Layout::iio_ina3221x,
                     .adapter = "devices/50000000.host1x/546c0000.i2c/i2c-6",
                     .address = "6-0040",
                     .of_fullname = "/host1x/i2c@546c0000/ina3221x@40",
                     .number = 0,
                     .shunt_milliohm = 5,
                     .channels = {{.label = "POM_5V_IN", .volts = 4.96, .parts = {1, 1, 1, 1, 1}},
                                  {.label = "POM_5V_GPU", .volts = 4.96, .parts = {.gpu = 1}},
                                  {.label = "POM_5V_CPU", .volts = 4.96, .parts = {.cpu = 1}}}}};
  board.modes = {{0, "MAXN", 0, 0}, {1, "5W", 640000000, 0}};
  board.thermal_prefix_style = "CPU-therm";
  board.power = {.throughput = 0.06,
                 .gpu_gated = 0.04,
                 .gpu_idle = 0.1,
                 .gpu_base = 0.3,
                 .gpu_per_mhz = 0.0022,
                 .traffic = 1,
                 .cpu_idle = 0.3,
                 .system_idle = 1.2,
                 .system_working = 1.5,
                 .system_memory = 0.5,
                 .dram_idle = 0.2,
                 .dram_memory = 0.4};
  return board;
}

Board agx_thor_jp7() {
  Board board;
  board.id = "agx-thor-jp7";
  board.summary =
      "Jetson AGX Thor developer kit, JetPack 7.1, kernel 6.8 (no load file, clocks between the ends assumed)";
  board.model = "NVIDIA Jetson AGX Thor Developer Kit";
  board.compatible = {"nvidia,p3971-0080+p3834-0008", "nvidia,p3834-0008", "nvidia,tegra264"};
  board.release =
      "# R38 (release), REVISION: 4.0, GCID: 0, BOARD: generic, EABI: aarch64, DATE: Thu Jan  1 00:00:00 UTC 2026";
  const std::string gpu = "devices/platform/bus@0/d0b0000000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0/";
  board.gpu = {.node = {gpu + "gpu-gpc-0", "gpu-gpc-0", "", stepped(315, 1575, 13)},
               .aliases = {},
               .governors = {"nvhost_podgov", "performance"},
               .devfreq_dev = false,
               .load_file = false,
               .podgov_folder = true};
  board.neighbours = {
      {gpu + "gpu-nvd-0", "gpu-nvd-0", "", stepped(315, 1692, 10)},
      {"devices/platform/bus@0/8181200000.host1x/8188050000.vic", "8188050000.vic", "vic", stepped(115, 1000, 5)}};
  const std::string adapter = "devices/platform/bus@0/c600000.i2c/i2c-2";
  board.monitors = {
      {.adapter = adapter,
       .address = "2-0040",
       .of_fullname = "/bus@0/i2c@c600000/ina3221@40",
       .number = 2,
       .shunt_milliohm = 2,
       .channels = {{.label = "VDD_GPU", .volts = 19.624, .noise_steps = 1, .parts = {.gpu = 1}},
                    {.label = "VDD_CPU_SOC_MSS", .volts = 19.624, .noise_steps = 1, .parts = {.traffic = 1, .cpu = 1}},
                    {.label = "VIN_SYS_5V0", .volts = 4.968, .parts = {.system = 1, .dram = 1}}}},
      {.layout = Layout::hwmon_ina238,
       .adapter = adapter,
       .address = "2-0044",
       .of_fullname = "/bus@0/i2c@c600000/ina238@44",
       .number = 3,
       .shunt_milliohm = 2,
       .channels = {{.label = "VIN", .volts = 19.624, .noise_steps = 0.5, .parts = {1, 1, 1, 1, 1}}}}};
  board.modes = {{0, "MAXN", 0, 0}, {1, "120W", 1260000000, 0}, {2, "90W", 945000000, 0}, {3, "70W", 630000000, 0}};
  board.configured_mode = 1;
  board.thermal_prefix_style = "cpu-thermal";
  board.power = {.throughput = 1.6,
                 .gpu_gated = 0.0,
                 .gpu_idle = 2.0,
                 .gpu_base = 4.0,
                 .gpu_per_mhz = 0.022,
                 .traffic = 15,
                 .cpu_idle = 5,
                 .system_idle = 9,
                 .system_working = 11,
                 .system_memory = 6,
                 .dram_idle = 1,
                 .dram_memory = 5};
  return board;
}

}  // namespace sweetspot
