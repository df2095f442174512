// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/simulator/board_copy.hpp"
#include "sweetspot/simulator/devfreq_model.hpp"
#include "sweetspot/simulator/physics.hpp"

namespace sweetspot {

/// A devfreq node. Paths are below /sys, without a leading slash.
struct DevfreqNode {
  std::string device;   ///< directory of the device behind it
  std::string name;     ///< of the node: entry in /sys/class/devfreq
  std::string of_name;  ///< device/of_node/name; empty: no of_node
  std::vector<Hertz> clocks;
};

/// The GPU's node and what the GPU driver puts around it.
struct BoardGpu {
  DevfreqNode node;
  std::vector<std::string> aliases;    ///< symlinks to the device
  std::vector<std::string> governors;  ///< the first is the default
  bool devfreq_dev = true;             ///< <device>/devfreq_dev -> the node
  bool load_file = true;               ///< <device>/load, per mille
  bool scaling_3d = false;             ///< <device>/enable_3d_scaling
  bool rail_gates = true;              ///< is_railgated can say yes
  bool podgov_folder = false;          ///< <node>/nvhost_podgov/*
  bool full_attributes = true;         ///< name, timer (kernel 5.10 and later)
};

/// How much of each part of the board a rail carries.
struct RailParts {
  double gpu = 0, traffic = 0, cpu = 0, system = 0, dram = 0;
  [[nodiscard]] double watts(const PartPower& power) const {
    return gpu * power.gpu + traffic * power.traffic + cpu * power.cpu + system * power.system + dram * power.dram;
  }
};

struct RailChannel {
  std::string label;    ///< empty: no label file
  bool enabled = true;  ///< false: reads answer ENODATA
  double volts = 0;
  double noise_steps = 0.5;  ///< current noise, ± so many current steps, uniform
  RailParts parts;
};

struct PowerMonitor {
  enum class Layout { hwmon_ina3221, iio_ina3221x, hwmon_ina238 };
  Layout layout = Layout::hwmon_ina3221;
  std::string adapter;  ///< directory of the I2C adapter, below /sys
  std::string address;  ///< "1-0040"
  std::string of_fullname;
  int number = 0;  ///< hwmonN or iio:deviceN
  int shunt_milliohm = 0;
  std::vector<RailChannel> channels;
};

struct BoardMode {
  int id = 0;
  std::string name;
  std::uint64_t gpu_cap_hz = 0;  ///< 0: none
  unsigned tpc_mask = 0;
};

/// A board as data. What it looks like follows public captures and sources; what is assumed is said in board_table.cpp.
struct Board {
  std::string id;
  std::string model;
  std::vector<std::string> compatible;
  std::string release;  ///< /etc/nv_tegra_release
  DevfreqModel::Kernel kernel = DevfreqModel::Kernel::v5_10;
  BoardGpu gpu;
  std::vector<DevfreqNode> neighbours;  ///< other devfreq nodes
  std::vector<PowerMonitor> monitors;
  std::vector<BoardMode> modes;
  int initial_mode = 0;              ///< in force at the mount unless told otherwise: the uncapped one
  int configured_mode = 0;           ///< default of nvpmodel.conf, which the module boots into
  std::string thermal_prefix_style;  ///< "cpu-thermal" or "CPU-therm"
  bool sensor_reads_wait = false;    ///< kernels before 5.14: a rail read waits for the next conversion
  bool measured_here = false;        ///< the board of the published curves
  PowerTraits power;
  std::string summary;

  // Of a recorded board; empty otherwise.
  BoardCopy copy;                           ///< the files it shows, and no others
  std::optional<std::string> recorded_min;  ///< min_freq and max_freq at the mount, unless a power mode is given
  std::optional<std::string> recorded_max;
  std::vector<std::string> fixed_rails;  ///< rails that keep their recorded reading: what they feed is not known
  std::vector<std::string> notes;        ///< what is recorded and what is assumed, for whoever mounts it
};

[[nodiscard]] std::vector<Board> boards();
/// Refuses an unknown id, naming those that exist.
[[nodiscard]] Result<Board> find_board(std::string_view id);
/// A board by its id, or one that somebody recorded: the archive that `sweetspot record-board` wrote, or a folder with
/// tree.txt; such a path has a '/' or ends in ".tar". What a recording cannot tell (performance, power) comes from the
/// nearest board of the table, and `notes` says so.
[[nodiscard]] Result<Board> load_board(const std::string& id_or_path);

}  // namespace sweetspot
