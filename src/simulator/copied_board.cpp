// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "sweetspot/simulator/board.hpp"

namespace sweetspot {

namespace {

using Layout = PowerMonitor::Layout;
const std::string class_folder = "/sys/class/devfreq/";
const std::string tree_folder = "/sys/firmware/devicetree/base/";

std::string until_nul(const std::string& text) {
  return text.substr(0, text.find('\0'));
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

std::vector<std::string> nul_separated(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string part; std::getline(stream, part, '\0');) {
    if (!part.empty()) all.push_back(part);
  }
  return all;
}

bool is_gpu_name(const std::string& name) {
  static const std::set<std::string> names{"gpu", "gp10b", "gv11b", "ga10b", "gb10b"};
  return names.count(name) != 0;
}

std::string below_sys(const std::string& path) {
  return path.compare(0, 5, "/sys/") == 0 ? path.substr(5) : path;
}

std::vector<Hertz> clocks_in(const std::string& text) {
  std::vector<Hertz> clocks;
  for (const std::string& word : words(text)) {
    std::uint64_t hz = 0;
    std::from_chars(word.data(), word.data() + word.size(), hz);
    if (hz != 0) clocks.push_back(Hertz{hz});
  }
  return clocks;
}

std::optional<DevfreqNode> gpu_node(const BoardCopy& copy) {
  for (const std::string& name : copy.list(class_folder)) {
    const std::string of_name = until_nul(copy.text(class_folder + name + "/device/of_node/name").value_or(""));
    const bool by_name = name.compare(0, 8, "gpu-gpc-") == 0 || is_gpu_name(name.substr(name.find('.') + 1));
    if (!by_name && !is_gpu_name(of_name)) continue;
    const auto node = copy.real_path(class_folder + name);
    const std::string inside = "/devfreq/" + name;
    if (!node || node->size() <= inside.size() || node->substr(node->size() - inside.size()) != inside) continue;
    auto clocks = clocks_in(copy.text(*node + "/available_frequencies").value_or(""));
    if (clocks.empty()) continue;
    return DevfreqNode{below_sys(node->substr(0, node->size() - inside.size())), name, of_name, std::move(clocks)};
  }
  return std::nullopt;
}

BoardGpu gpu_of(const BoardCopy& copy, DevfreqNode node) {
  const std::string device = "/sys/" + node.device;
  const std::string folder = device + "/devfreq/" + node.name;
  BoardGpu gpu;
  gpu.governors = {copy.text(folder + "/governor").value_or("nvhost_podgov")};
  for (const std::string& name : words(copy.text(folder + "/available_governors").value_or(""))) {
    if (name != gpu.governors.front()) gpu.governors.push_back(name);
  }
  for (const auto& [path, file] : copy.files()) {
    const bool alias = file.is_link && path.compare(0, 13, "/sys/devices/") == 0 &&
                       path.compare(0, device.size() + 1, device + "/") != 0;
    if (alias && copy.real_path(path) == device) gpu.aliases.push_back(below_sys(path));
  }
  gpu.load_file = copy.exists(device + "/load");
  gpu.devfreq_dev = copy.exists(device + "/devfreq_dev") || copy.exists(device + "/is_railgated");
  gpu.scaling_3d = copy.exists(device + "/enable_3d_scaling");
  gpu.rail_gates = copy.text(device + "/is_railgated") == "yes";
  gpu.full_attributes = copy.exists(folder + "/name");
  gpu.node = std::move(node);
  return gpu;
}

// nvpmodel.conf: "< POWER_MODEL ID=2 NAME=MODE_30W >", then among others "GPU MAX_FREQ 612000000", -1 for no cap.
std::vector<BoardMode> modes_in(const std::string& conf, Hertz top) {
  std::vector<BoardMode> modes;
  std::istringstream lines(conf);
  for (std::string line; std::getline(lines, line);) {
    const auto all = words(line);
    if (line.find("POWER_MODEL ID=") != std::string::npos) {
      modes.emplace_back();
      for (const std::string& word : all) {
        if (word.compare(0, 3, "ID=") == 0) modes.back().id = std::atoi(word.c_str() + 3);
        if (word.compare(0, 5, "NAME=") == 0) modes.back().name = word.substr(5);
      }
    } else if (!modes.empty() && all.size() == 3 && all[1] == "TPC_PG_MASK") {
      modes.back().tpc_mask = static_cast<unsigned>(std::atoi(all[2].c_str()));
    } else if (!modes.empty() && all.size() == 3 && all[0] == "GPU" && all[1] == "MAX_FREQ") {
      const long long cap = std::atoll(all[2].c_str());
      if (cap > 0 && static_cast<std::uint64_t>(cap) < top.value)
        modes.back().gpu_cap_hz = static_cast<std::uint64_t>(cap);
    }
  }
  return modes;
}

/// "nvidia,p3737-0000+p3701-0005" → the parts that name SoC, module and carrier.
std::set<std::string> parts_of(const std::vector<std::string>& compatible) {
  std::set<std::string> parts;
  for (std::string entry : compatible) {
    std::replace(entry.begin(), entry.end(), '+', ' ');
    std::replace(entry.begin(), entry.end(), ',', ' ');
    for (const std::string& word : words(entry)) parts.insert(word);
  }
  parts.erase("nvidia");
  return parts;
}

int likeness(const Board& known, const Board& copied) {
  constexpr int per_part = 4, same_clocks = 3, same_release = 2, same_soc = 100;
  const auto own = parts_of(copied.compatible);
  int score = 0;
  for (const std::string& part : parts_of(known.compatible)) {
    if (own.count(part) != 0) score += part.compare(0, 5, "tegra") == 0 ? same_soc : per_part;
  }
  if (known.gpu.node.clocks == copied.gpu.node.clocks) score += same_clocks;
  const std::string release = copied.release.substr(0, copied.release.find(' ', 2));
  if (!release.empty() && known.release.compare(0, release.size(), release) == 0) score += same_release;
  return score;
}

Board nearest_to(const Board& copied) {
  auto all = boards();
  return *std::max_element(all.begin(), all.end(),
                           [&](const Board& a, const Board& b) { return likeness(a, copied) < likeness(b, copied); });
}

const RailChannel* channel_called(const Board& board, const std::string& label) {
  for (const auto& monitor : board.monitors) {
    for (const auto& channel : monitor.channels) {
      if (!label.empty() && channel.label == label) return &channel;
    }
  }
  return nullptr;
}

/// What of a rail is not in the recording comes from the nearest known board: which parts of the board it feeds.
RailChannel channel_of(const Board& nearest, const std::string& label, std::optional<double> millivolts, bool enabled) {
  constexpr double usual_volts = 5;
  RailChannel channel;
  if (const RailChannel* known = channel_called(nearest, label)) channel = *known;
  if (channel.volts <= 0) channel.volts = label.empty() || label == "NC" ? 0 : usual_volts;
  if (millivolts) channel.volts = *millivolts / 1000;
  if (!enabled) channel.volts = 0;
  channel.label = label;
  channel.enabled = enabled;
  return channel;
}

struct Driver {
  const char* name;
  Layout layout;
  const char* folder;
};
constexpr std::array<Driver, 3> drivers{{{"ina3221", Layout::hwmon_ina3221, "/hwmon/hwmon"},
                                         {"ina3221x", Layout::iio_ina3221x, "/iio:device"},
                                         {"ina238", Layout::hwmon_ina238, "/hwmon/hwmon"}}};

std::vector<RailChannel> channels_of(const BoardCopy& copy, Layout layout, const std::string& folder,
                                     const Board& nearest) {
  std::vector<RailChannel> channels;
  if (layout == Layout::hwmon_ina238) return {channel_of(nearest, "VIN", copy.number(folder + "/in1_input"), true)};
  for (int i = 0; i < 3; ++i) {
    const bool iio = layout == Layout::iio_ina3221x;
    const std::string n = std::to_string(iio ? i : i + 1);
    const std::string voltage = folder + (iio ? "/in_voltage" + n + "_input" : "/in" + n + "_input");
    const bool enabled = copy.error(voltage) != ENODATA && copy.text(folder + "/in" + n + "_enable") != "0";
    const auto label = copy.text(folder + (iio ? "/rail_name_" + n : "/in" + n + "_label"));
    channels.push_back(channel_of(nearest, label.value_or(""), copy.number(voltage), enabled));
  }
  return channels;
}

int shunt_of(const BoardCopy& copy, const std::string& folder, const Board& nearest) {
  for (const char* file : {"/shunt1_resistor", "/shunt_resistor"}) {
    if (const auto microohm = copy.number(folder + file); microohm && *microohm >= 1000)
      return static_cast<int>(std::lround(*microohm / 1000));
  }
  return nearest.monitors.front().shunt_milliohm;
}

std::optional<PowerMonitor> monitor_of(const BoardCopy& copy, const Driver& driver, const std::string& device,
                                       const Board& nearest) {
  const std::string start = driver.folder;
  const std::string parent = device + start.substr(0, start.rfind('/'));
  const std::string prefix = start.substr(start.rfind('/') + 1);
  for (const std::string& name : copy.list(parent)) {
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string folder = parent + "/" + name;
    return PowerMonitor{.layout = driver.layout,
                        .adapter = below_sys(device.substr(0, device.rfind('/'))),
                        .address = device.substr(device.rfind('/') + 1),
                        .of_fullname = {},
                        .number = std::atoi(name.c_str() + prefix.size()),
                        .shunt_milliohm = shunt_of(copy, folder, nearest),
                        .channels = channels_of(copy, driver.layout, folder, nearest)};
  }
  return std::nullopt;
}

void add_monitors(Board& board, const Board& nearest) {
  for (const Driver& driver : drivers) {
    const std::string folder = std::string("/sys/bus/i2c/drivers/") + driver.name;
    for (const std::string& name : board.copy.list(folder)) {
      const auto device = board.copy.real_path(folder + "/" + name);
      if (!device || name.find('-') == std::string::npos) continue;
      if (auto monitor = monitor_of(board.copy, driver, *device, nearest))
        board.monitors.push_back(std::move(*monitor));
    }
  }
  for (const auto& monitor : board.monitors) {
    for (const auto& channel : monitor.channels) {
      const bool rail = channel.enabled && !channel.label.empty() && channel.label != "NC";
      if (rail && channel_called(nearest, channel.label) == nullptr) board.fixed_rails.push_back(channel.label);
    }
  }
}

// Everything the recording does not tell, and nothing else.
void borrow(Board& board, const Board& nearest) {
  const auto is_release = [&](std::string_view start) { return board.release.compare(0, start.size(), start) == 0; };
  board.kernel = nearest.kernel;
  board.sensor_reads_wait = nearest.sensor_reads_wait;
  if (!board.release.empty()) {
    // Linux 4.9 came with JetPack 4, 5.10 with JetPack 5: only there a rail read waits for the next conversion.
    board.kernel = is_release("# R32") ? DevfreqModel::Kernel::v4_9 : DevfreqModel::Kernel::v5_10;
    board.sensor_reads_wait = is_release("# R34") || is_release("# R35");
  }
  board.power = nearest.power;
  board.measured_here = nearest.measured_here && nearest.gpu.node.clocks == board.gpu.node.clocks;
  board.notes.push_back(
      "a recorded board: files, clocks, limits and rails as recorded; how it computes, heats and draws power as " +
      nearest.id + ", the nearest board known");
  if (parts_of(board.compatible).count(*parts_of({nearest.compatible.back()}).begin()) == 0)
    board.notes.emplace_back("no board with its SoC is known: take no figure of its power for anything");
  for (const std::string& label : board.fixed_rails)
    board.notes.push_back("rail " + label + ": what it feeds is not known; it stays at its recorded reading");
}

Result<Board> from_copy(BoardCopy copy, const std::string& path) {
  auto node = gpu_node(copy);
  if (!node) return failure(path + ": no GPU devfreq node in the recording; record again once it is there", ENODEV);
  Board board;
  board.id = path;
  board.model = until_nul(copy.text(tree_folder + "model").value_or(""));
  board.compatible = nul_separated(copy.text(tree_folder + "compatible").value_or(""));
  board.release = copy.text("/etc/nv_tegra_release").value_or("");
  const std::string folder = class_folder + node->name;
  board.recorded_min = copy.text(folder + "/min_freq");
  board.recorded_max = copy.text(folder + "/max_freq");
  board.gpu = gpu_of(copy, std::move(*node));
  board.modes = modes_in(copy.text("/etc/nvpmodel.conf").value_or(""), board.gpu.node.clocks.back());
  const std::string status = copy.text("/var/lib/nvpmodel/status").value_or("");
  if (status.compare(0, 6, "pmode:") == 0) board.initial_mode = std::atoi(status.c_str() + 6);
  board.copy = std::move(copy);
  const Board nearest = nearest_to(board);
  add_monitors(board, nearest);
  borrow(board, nearest);
  board.summary = "recorded: " + board.model;
  return board;
}

}  // namespace

Result<Board> load_board(const std::string& id_or_path) {
  auto board = find_board(id_or_path);
  const bool path = id_or_path.find('/') != std::string::npos || id_or_path.find(".tar") != std::string::npos;
  if (board || !path) return board;
  auto copy = BoardCopy::load(id_or_path);
  if (!copy) return failure(std::move(copy.error()));
  return from_copy(std::move(*copy), id_or_path);
}

}  // namespace sweetspot
