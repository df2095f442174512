// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "simulator/machine.hpp"

namespace sweetspot {

namespace {

std::string line(std::uint64_t value) {
  return std::to_string(value) + "\n";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text + "\n";
}

std::string table_text(std::span<const Hertz> clocks) {
  std::vector<std::string> words;
  for (const Hertz clock : clocks) words.push_back(std::to_string(clock.value));
  return joined(words);
}

std::string hex_address(const DevfreqNode& node) {
  return node.name.substr(0, node.name.find('.'));
}

}  // namespace

std::string Machine::gpu_device_path() const {
  return "/sys/" + board_.gpu.node.device;
}
std::string Machine::gpu_node_path() const {
  return gpu_device_path() + "/devfreq/" + board_.gpu.node.name;
}

Show Machine::plain(std::function<std::string()> text) const {
  return [text = std::move(text)](const Opening&) -> Shown { return text(); };
}

void Machine::add_device(const DevfreqNode& node, const std::string& driver) {
  const std::string device = "/sys/" + node.device;
  tree_.add_link(device + "/subsystem", "/sys/bus/platform");
  std::string uevent = "DRIVER=" + driver;
  if (!node.of_name.empty()) {
    const std::string full = "/bus@0/" + node.of_name + "@" + hex_address(node);
    tree_.add_bytes("/sys/firmware/devicetree/base" + full + "/name", node.of_name + std::string(1, '\0'));
    tree_.add_link(device + "/of_node", "/sys/firmware/devicetree/base" + full);
    uevent += "\nOF_NAME=" + node.of_name + "\nOF_FULLNAME=" + full;
  }
  tree_.add_text(device + "/uevent", uevent);
}

void Machine::add_gpu() {
  const BoardGpu& gpu = board_.gpu;
  add_device(gpu.node, gpu.devfreq_dev ? "gk20a" : "nvidia");
  for (const auto& alias : gpu.aliases) tree_.add_link("/sys/" + alias, gpu_device_path());
  add_gpu_device_files();
  add_devfreq(gpu.node);
  const std::string path = gpu_node_path();
  add_devfreq_limits(path);
  add_devfreq_governor(path);
  tree_.add_attribute(path + "/cur_freq", read_only, plain([this] { return line(plant_.clock().value); }));
  tree_.add_attribute(path + "/target_freq", read_only,
                      plain([this] { return line(plant_.devfreq().target().value); }));
  tree_.add_attribute(path + "/trans_stat", board_.gpu.full_attributes ? writable : read_only,
                      plain([this] { return trans_stat(); }), [this](std::string_view text, const Opening&) {
                        if (kernel_scan_unsigned(text) != 0U) return EINVAL;
                        plant_.reset_statistics();
                        return 0;
                      });
  if (gpu.devfreq_dev) tree_.add_link(gpu_device_path() + "/devfreq_dev", path);
  gpu_present_ = true;
}

// Everything nvgpu (or nvidia.ko) adds; the device itself stays.
void Machine::remove_gpu() {
  const std::string device = gpu_device_path();
  for (const auto* name :
       {"devfreq", "devfreq_dev", "load", "railgate_enable", "railgate_delay", "is_railgated", "gpu_powered_on",
        "emc3d_ratio", "tpc_pg_mask", "gpc_pg_mask", "fbp_pg_mask", "enable_3d_scaling", "user", "freq_request"}) {
    tree_.detach(device + "/" + name);
  }
  tree_.detach("/sys/class/devfreq/" + board_.gpu.node.name);
  for (const auto& alias : board_.gpu.aliases) tree_.detach("/sys/" + alias);
  plant_.reset_devfreq();
  gpu_present_ = false;
}

void Machine::add_devfreq(const DevfreqNode& node) {
  const std::string path = "/sys/" + node.device + "/devfreq/" + node.name;
  tree_.add_link("/sys/class/devfreq/" + node.name, path);
  tree_.add_link(path + "/device", "/sys/" + node.device);
  tree_.add_link(path + "/subsystem", "/sys/class/devfreq");
  tree_.add_bytes(path + "/uevent", "");
  tree_.add_text(path + "/power/control", "auto");
  tree_.add_text(path + "/power/runtime_status", "unsupported");
  tree_.add_bytes(path + "/available_frequencies", table_text(node.clocks));
  if (board_.gpu.full_attributes) tree_.add_text(path + "/name", node.device.substr(node.device.rfind('/') + 1));
  const auto remember = [this](const std::string& file, const std::string& initial) {
    values_[file] = initial;
    tree_.add_attribute(file, writable, plain([this, file] { return values_[file] + "\n"; }),
                        [this, file](std::string_view text, const Opening&) {
                          const auto number = kernel_scan_unsigned(text);
                          if (!number) return EINVAL;
                          values_[file] = std::to_string(*number);
                          return 0;
                        });
  };
  remember(path + "/polling_interval", "25");
  if (board_.gpu.full_attributes)
    tree_.add_attribute(path + "/timer", writable, plain([] { return "deferrable\n"; }),
                        [](std::string_view, const Opening&) { return EINVAL; });
}

void Machine::add_devfreq_limits(const std::string& path) {
  const auto limit = [&](const std::string& name, Hertz (DevfreqModel::*value)() const,
                         int (DevfreqModel::*take)(std::string_view)) {
    tree_.add_attribute(path + "/" + name, writable,
                        plain([this, value] { return line((plant_.devfreq().*value)().value); }),
                        [this, take](std::string_view text, const Opening&) {
                          const int code = (plant_.devfreq().*take)(text);
                          if (code == 0) plant_.retarget();
                          return code;
                        });
  };
  limit("min_freq", &DevfreqModel::min, &DevfreqModel::store_min);
  limit("max_freq", &DevfreqModel::max, &DevfreqModel::store_max);
}

void Machine::add_devfreq_governor(const std::string& path) {
  tree_.add_attribute(path + "/governor", writable, plain([this] { return plant_.devfreq().governor() + "\n"; }),
                      [this](std::string_view text, const Opening&) {
                        const int code = plant_.devfreq().store_governor(text);
                        if (code == 0) plant_.retarget();
                        update_userspace_folder();
                        return code;
                      });
  tree_.add_bytes(path + "/available_governors", joined(board_.gpu.governors));
  if (!board_.gpu.podgov_folder) return;
  const std::array<std::pair<const char*, const char*>, 6> knobs{{{"load_max", "900"},
                                                                  {"load_target", "700"},
                                                                  {"load_margin", "100"},
                                                                  {"k", "1"},
                                                                  {"up_freq_margin", "4"},
                                                                  {"down_freq_margin", "1"}}};
  for (const auto& [name, value] : knobs) tree_.add_text(path + "/nvhost_podgov/" + name, value);
}

// userspace/set_freq comes and goes with the governor.
void Machine::update_userspace_folder() {
  const std::string folder = gpu_node_path() + "/userspace";
  const bool wanted = plant_.devfreq().governor() == "userspace";
  if (wanted == (tree_.resolve(folder) != 0)) return;
  if (!wanted) return tree_.detach(folder);
  tree_.add_attribute(folder + "/set_freq", writable, plain([this] { return plant_.devfreq().set_freq() + "\n"; }),
                      [this](std::string_view text, const Opening&) {
                        const int code = plant_.devfreq().store_set_freq(text);
                        if (code == 0) plant_.retarget();
                        return code;
                      });
}

void Machine::add_gpu_device_files() {
  const std::string device = gpu_device_path();
  if (board_.gpu.load_file) {
    tree_.add_attribute(device + "/load", read_only,
                        plain([this] { return line(static_cast<std::uint64_t>(std::lround(plant_.load() * 1000))); }));
  }
  if (!board_.gpu.devfreq_dev) return;  // the rest is nvgpu's
  add_gating_files(device);
  const unsigned mask = [&] {
    for (const auto& mode : board_.modes) {
      if (mode.id == power_mode_) return mode.tpc_mask;
    }
    return 0U;
  }();
  tree_.add_text(device + "/tpc_pg_mask", std::to_string(mask));
  for (const auto* name : {"gpc_pg_mask", "fbp_pg_mask", "user"}) tree_.add_text(device + "/" + name, "0");
  tree_.add_text(device + "/emc3d_ratio", "750");
  tree_.add_text(device + "/freq_request", "0");
  if (board_.gpu.scaling_3d) tree_.add_text(device + "/enable_3d_scaling", "1");
}

void Machine::add_gating_files(const std::string& device) {
  tree_.add_attribute(device + "/railgate_enable", writable, plain([this] { return line(plant_.gating() ? 1U : 0U); }),
                      [this](std::string_view text, const Opening&) {
                        const auto value = kernel_scan_unsigned(text);
                        if (!value) return EINVAL;
                        plant_.gate_when_idle(*value != 0);
                        return 0;
                      });
  tree_.add_attribute(device + "/railgate_delay", writable, plain([this] {
                        return line(static_cast<std::uint64_t>(plant_.gate_delay() / std::chrono::milliseconds(1)));
                      }),
                      [this](std::string_view text, const Opening&) {
                        const auto value = kernel_scan_unsigned(text);
                        if (!value) return EINVAL;
                        plant_.gate_delay(std::chrono::milliseconds(*value));
                        return 0;
                      });
  tree_.add_attribute(device + "/is_railgated", read_only,
                      plain([this] { return board_.gpu.rail_gates && !plant_.powered() ? "yes\n" : "no\n"; }));
  tree_.add_attribute(device + "/gpu_powered_on", read_only,
                      plain([this] { return plant_.powered() ? "1\n" : "0\n"; }));
  tree_.add_text(device + "/power/autosuspend_delay_ms", "500");
  tree_.add_attribute(device + "/power/runtime_status", read_only,
                      plain([this] { return plant_.powered() ? "active\n" : "suspended\n"; }));
  tree_.add_attribute(device + "/power/control", writable,
                      plain([this] { return plant_.gating() ? "auto\n" : "on\n"; }),
                      [this](std::string_view text, const Opening&) {
                        const bool on = text == "on" || text == "on\n";
                        if (!on && text != "auto" && text != "auto\n") return EINVAL;
                        plant_.gate_when_idle(!on);
                        return 0;
                      });
}

void Machine::add_neighbour(const DevfreqNode& node) {
  add_device(node, node.of_name.empty() ? "tegra-bwmgr" : "tegra-" + node.of_name);
  add_devfreq(node);
  const std::string path = "/sys/" + node.device + "/devfreq/" + node.name;
  for (const auto* file : {"cur_freq", "target_freq", "min_freq"}) {
    tree_.add_text(path + "/" + file, std::to_string(node.clocks.front().value));
  }
  tree_.add_text(path + "/max_freq", std::to_string(node.clocks.back().value));
  tree_.add_text(path + "/governor", "userspace");
  tree_.add_text(path + "/available_governors", "userspace performance");
}

std::string Machine::trans_stat() const {
  const auto& clocks = board_.gpu.node.clocks;
  std::array<char, 40> cell{};
  const auto wide = [&](std::uint64_t value) {
    std::snprintf(cell.data(), cell.size(), "%10llu", static_cast<unsigned long long>(value));
    return std::string(cell.data());
  };
  std::string text = "     From  :   To\n           :";
  for (const Hertz clock : clocks) text += wide(clock.value);
  text += "   time(ms)\n";
  std::uint64_t total = 0;
  for (std::size_t from = 0; from < clocks.size(); ++from) {
    text += (clocks[from] == plant_.clock() ? "*" : " ") + wide(clocks[from].value) + ":";
    for (std::size_t to = 0; to < clocks.size(); ++to) {
      text += wide(plant_.transitions(from, to));
      total += plant_.transitions(from, to);
    }
    text += wide(static_cast<std::uint64_t>(plant_.seconds_at(from) * 1000)) + "\n";
  }
  return text + "Total transition : " + std::to_string(total) + "\n";
}

}  // namespace sweetspot
