// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {

/// A small board as plain files: one GPU node and one power monitor. Clocks have nine digits each, since plain files,
/// unlike sysfs, keep the end of a longer text.
class BoardTree {
 public:
  BoardTree() {
    write(node + "/available_frequencies", "306000000 408000000 510000000 612000000 714000000 816000000 918000000");
    write(node + "/min_freq", "306000000");
    write(node + "/max_freq", "918000000");
    write(node + "/cur_freq", "306000000");
    write(node + "/governor", "nvhost_podgov");
    write(device + "/load", "425");
    write(device + "/is_railgated", "no");
    link("/sys/class/devfreq/17000000.gpu", node);
    link(node + "/device", device);
    write(monitor + "/name", "ina3221");
    rail(1, "VDD_GPU_SOC", 20000, 1000);
    rail(2, "VDD_CPU_CV", 20000, 250);
    rail(3, "NC", 0, 0);
    link("/sys/bus/i2c/drivers/ina3221/1-0040", i2c);
    write("/sys/firmware/devicetree/base/model", "A test board");
    write("/sys/firmware/devicetree/base/compatible", "nvidia,tegra234");
  }

  static inline const std::string device = "/sys/devices/platform/bus@0/17000000.gpu";
  static inline const std::string node = device + "/devfreq/17000000.gpu";
  static inline const std::string i2c = "/sys/devices/platform/i2c/1-0040";
  static inline const std::string monitor = i2c + "/hwmon/hwmon3";

  [[nodiscard]] const std::string& root() const { return folder_.path(); }
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path real = root() + path;
    std::filesystem::create_directories(real.parent_path());
    std::ofstream(real) << text << "\n";
  }
  [[nodiscard]] std::string read(const std::string& path) const {
    std::ifstream file(root() + path);
    std::string line;
    std::getline(file, line);
    return line;
  }
  void remove(const std::string& path) const { std::filesystem::remove_all(root() + path); }
  void set_mode(const std::string& path, unsigned mode) const {
    std::filesystem::permissions(root() + path, std::filesystem::perms(mode));
  }
  /// As on a system whose root this folder is.
  void absolute_link(const std::string& path, const std::string& target) const {
    std::filesystem::create_directories(std::filesystem::path(root() + path).parent_path());
    std::filesystem::create_symlink(target, root() + path);
  }

 private:
  void link(const std::string& path, const std::string& target) const {
    const std::filesystem::path real = root() + path;
    std::filesystem::create_directories(real.parent_path());
    std::filesystem::create_directory_symlink(
        std::filesystem::path(root() + target).lexically_relative(real.parent_path()), real);
  }
  void rail(int channel, const std::string& label, int millivolts, int milliamperes) const {
    const std::string number = std::to_string(channel);
    write(monitor + "/in" + number + "_label", label);
    write(monitor + "/in" + number + "_input", std::to_string(millivolts));
    write(monitor + "/curr" + number + "_input", std::to_string(milliamperes));
  }

  TemporaryFolder folder_;
};

}  // namespace sweetspot::tests
