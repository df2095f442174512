// SPDX-License-Identifier: Apache-2.0
#include "simulator/board_pieces.hpp"

namespace sweetspot {

namespace {

const RailParts gpu_soc{.gpu = 1, .traffic = 1};
const RailParts cpu_only{.cpu = 1};
const RailParts sys_5v{.system = 1, .dram = 1};
const RailParts dram_only{.dram = 1};
const std::vector<std::string> orin_governors{"nvhost_podgov", "userspace", "performance", "simple_ondemand"};
const std::string orin_bus = "devices/platform/bus@0/";

std::vector<Hertz> orin_agx_clocks() {
  return {megahertz(306), megahertz(408),  megahertz(510),  megahertz(612),  megahertz(714),   megahertz(816),
          megahertz(918), megahertz(1020), megahertz(1122), megahertz(1224), megahertz(1300.5)};
}

// The other devfreq nodes of an Orin; their tables are assumptions.
std::vector<DevfreqNode> orin_neighbours(const std::string& bus) {
  return {{bus + "13e00000.host1x/15340000.vic", "15340000.vic", "vic", stepped(115.2, 601.6, 6)},
          {bus + "13e00000.host1x/15480000.nvenc", "15480000.nvenc", "nvenc", stepped(115.2, 729.6, 6)},
          {bus + "13e00000.host1x/15380000.nvjpg", "15380000.nvjpg", "nvjpg", stepped(115.2, 729.6, 6)}};
}

BoardGpu orin_gpu(std::vector<Hertz> clocks) {
  return {.node = {orin_bus + "17000000.gpu", "17000000.gpu", "gpu", std::move(clocks)},
          .aliases = {"devices/platform/gpu.0", "devices/platform/17000000.gpu"},
          .governors = orin_governors,
          .scaling_3d = true};
}

std::vector<PowerMonitor> agx_orin_monitors(const std::string& adapter, std::string_view unused_label, int first) {
  const std::string unused(unused_label);
  return {{.adapter = adapter,
           .address = "1-0040",
           .of_fullname = "/bus@0/i2c@c240000/ina3221@40",
           .number = first,
           .shunt_milliohm = 2,
           .channels = {{.label = "VDD_GPU_SOC", .volts = 19.904, .parts = gpu_soc},
                        {.label = "VDD_CPU_CV", .volts = 19.904, .noise_steps = 1, .parts = cpu_only},
                        {.label = "VIN_SYS_5V0", .volts = 4.968, .parts = sys_5v}}},
          {.adapter = adapter,
           .address = "1-0041",
           .of_fullname = "/bus@0/i2c@c240000/ina3221@41",
           .number = first + 1,
           .shunt_milliohm = 2,
           .channels = {{.label = unused, .enabled = !unused.empty(), .volts = 0, .noise_steps = 0, .parts = {}},
                        {.label = "VDDQ_VDD2_1V8AO", .volts = 5.0, .parts = dram_only},
                        {.label = unused, .enabled = !unused.empty(), .volts = 0, .noise_steps = 0, .parts = {}}}}};
}

const std::vector<BoardMode> agx_orin_64_modes{
    {0, "MAXN", 0, 0}, {1, "MODE_15W", 408000000, 248}, {2, "MODE_30W", 612000000, 240}, {3, "MODE_50W", 816000000, 0}};

Board agx_orin_64_jp6() {
  Board board;
  board.id = "agx-orin-64-jp6";
  board.summary = "Jetson AGX Orin 64 GB developer kit, JetPack 6.2.1, kernel 5.15";
  board.model = "NVIDIA Jetson AGX Orin Developer Kit";
  board.compatible = {"nvidia,p3737-0000+p3701-0005", "nvidia,p3701-0005", "nvidia,tegra234"};
  board.release =
      "# R36 (release), REVISION: 4.7, GCID: 42132812, BOARD: generic, EABI: aarch64, DATE: Thu Sep 18 22:54:44 UTC "
      "2025";
  board.gpu = orin_gpu(orin_agx_clocks());
  board.neighbours = orin_neighbours(orin_bus);
  board.monitors = agx_orin_monitors(orin_bus + "c240000.i2c/i2c-1", "", 3);
  board.modes = agx_orin_64_modes;
  board.configured_mode = 2;
  board.thermal_prefix_style = "cpu-thermal";
  board.measured_here = true;
  return board;
}

Board agx_orin_64_jp5() {
  Board board = agx_orin_64_jp6();
  board.id = "agx-orin-64-jp5";
  board.summary = "Jetson AGX Orin 64 GB developer kit, JetPack 5.1.2, kernel 5.10";
  board.release =
      "# R35 (release), REVISION: 4.1, GCID: 33958178, BOARD: t186ref, EABI: aarch64, DATE: Tue Aug  1 19:57:35 UTC "
      "2023";
  board.gpu.node.device = "devices/17000000.ga10b";
  board.gpu.node.name = "17000000.ga10b";
  board.gpu.node.of_name = "ga10b";
  board.gpu.aliases = {"devices/gpu.0", "devices/platform/gpu.0", "devices/platform/17000000.ga10b"};
  board.neighbours = orin_neighbours("devices/platform/");
  board.monitors = agx_orin_monitors("devices/platform/c240000.i2c/i2c-1", "NC", 1);
  board.sensor_reads_wait = true;
  board.thermal_prefix_style = "CPU-therm";
  return board;
}

Board agx_orin_64_jp7() {
  Board board = agx_orin_64_jp6();
  board.id = "agx-orin-64-jp7";
  board.summary = "Jetson AGX Orin 64 GB developer kit, JetPack 7.2, kernel 6.8";
  board.release =
      "# R39 (release), REVISION: 2.0, GCID: 0, BOARD: generic, EABI: aarch64, DATE: Mon Jun  1 00:00:00 UTC 2026";
  board.gpu.scaling_3d = false;
  board.neighbours.push_back({orin_bus + "bwmgr", "bwmgr", "", stepped(204, 3199, 8)});
  board.monitors = agx_orin_monitors(orin_bus + "c240000.i2c/i2c-1", "", 0);
  return board;
}

Board agx_orin_32_jp6() {
  Board board = agx_orin_64_jp6();
  board.id = "agx-orin-32-jp6";
  board.summary = "Jetson AGX Orin 32 GB, JetPack 6.2.1, kernel 5.15 (top clock 930.75 MHz unverified)";
  board.compatible = {"nvidia,p3737-0000+p3701-0004", "nvidia,p3701-0004", "nvidia,tegra234"};
  board.gpu.node.clocks = {megahertz(306), megahertz(408), megahertz(510), megahertz(612),
                           megahertz(714), megahertz(816), megahertz(918), megahertz(930.75)};
  board.modes = {{0, "MAXN", 0, 128},
                 {1, "MODE_15W", 408000000, 248},
                 {2, "MODE_30W", 612000000, 240},
                 {3, "MODE_40W", 816000000, 128}};
  board.measured_here = false;
  board.power.throughput = 0.875;
  return board;
}

// Orin NX and Nano: one rail carries GPU and CPU, VDD_IN everything.
std::vector<PowerMonitor> orin_nx_monitors() {
  return {{.adapter = orin_bus + "c240000.i2c/i2c-1",
           .address = "1-0040",
           .of_fullname = "/bus@0/i2c@c240000/ina3221@40",
           .number = 1,
           .shunt_milliohm = 5,
           .channels = {{.label = "VDD_IN", .volts = 4.984, .parts = {1, 1, 1, 1, 1}},
                        {.label = "VDD_CPU_GPU_CV", .volts = 4.984, .parts = {.gpu = 1, .cpu = 1}},
                        {.label = "VDD_SOC", .volts = 4.984, .parts = {.traffic = 1, .system = 0.4}}}}};
}

// Half the GPU of an AGX Orin; powers scaled so that the module stays within its 25 W (assumption).
const PowerTraits orin_nx_power{.throughput = 0.5,
                                .gpu_gated = 0.6,
                                .gpu_idle = 0.9,
                                .gpu_base = 1.4,
                                .gpu_per_mhz = 0.0055,
                                .traffic = 3,
                                .cpu_idle = 0.4,
                                .system_idle = 2.4,
                                .system_working = 3.0,
                                .system_memory = 1.5,
                                .dram_idle = 0.2,
                                .dram_memory = 1};

Board orin_nx_16_jp6() {
  Board board = agx_orin_64_jp6();
  board.id = "orin-nx-16-jp6";
  board.summary = "Jetson Orin NX 16 GB, JetPack 6.2.1, kernel 5.15";
  board.model = "NVIDIA Jetson Orin NX Engineering Reference Developer Kit";
  board.compatible = {"nvidia,p3768-0000+p3767-0000", "nvidia,p3767-0000", "nvidia,tegra234"};
  board.gpu.node.clocks = stepped(306, 918, 7);
  board.gpu.rail_gates = false;
  board.monitors = orin_nx_monitors();
  board.modes = {
      {0, "MAXN", 0, 240}, {1, "10W", 612000000, 252}, {2, "15W", 612000000, 252}, {3, "25W", 408000000, 240}};
  board.measured_here = false;
  board.power = orin_nx_power;
  return board;
}

Board orin_nano_super_jp6() {
  Board board = orin_nx_16_jp6();
  board.id = "orin-nano-super-jp6";
  board.summary = "Jetson Orin Nano 8 GB Super developer kit, JetPack 6.2.1, kernel 5.15";
  board.model = "NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super";
  board.compatible = {"nvidia,p3768-0000+p3767-0005-super", "nvidia,p3767-0005", "nvidia,tegra234"};
  board.gpu.node.clocks = stepped(306, 1020, 8);
  board.modes = {{0, "15W", 612000000, 0}, {1, "25W", 918000000, 0}, {2, "MAXN_SUPER", 0, 0}};
  board.initial_mode = 2;
  board.configured_mode = 1;
  return board;
}

}  // namespace

std::vector<Board> boards() {
  return {agx_orin_64_jp5(),     agx_orin_64_jp6(), agx_orin_64_jp7(), agx_orin_32_jp6(), orin_nx_16_jp6(),
          orin_nano_super_jp6(), agx_xavier_jp4(),  nano_jp4(),        agx_thor_jp7()};
}

}  // namespace sweetspot
