// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/thermal.hpp"

#include <algorithm>

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

const std::string thermal_dir = "/sys/class/thermal/";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// "devfreq-17000000.gpu", "thermal-devfreq-0", "gpu-throttle-alert"; not "cpufreq-cpu0", not "pwm-fan".
bool slows_the_gpu(const std::string& type) {
  const std::string name = lower_case(type);
  return name.find("gpu") != std::string::npos || name.find("devfreq") != std::string::npos;
}

std::optional<double> temperature_of(const Attributes& board, const std::string& zone) {
  const auto millidegrees = read_signed(board, zone + "/temp");
  // -256 °C is what a powered-down sensor reports where it does not answer EAGAIN.
  if (!millidegrees || *millidegrees <= -100000) return std::nullopt;
  return static_cast<double>(*millidegrees) / 1000.0;
}

}  // namespace

CoolingDevices CoolingDevices::find(const Attributes& board) {
  CoolingDevices found;
  const auto names = board.list(thermal_dir);
  if (!names) return found;
  for (const std::string& name : *names) {
    if (!starts_with(name, "cooling_device")) continue;
    const auto type = board.read(thermal_dir + name + "/type");
    if (!type || !slows_the_gpu(*type)) continue;
    found.devices_.push_back({*type, KeptAttribute(board, thermal_dir + name + "/cur_state")});
  }
  return found;
}

std::vector<std::string> CoolingDevices::active() const {
  std::vector<std::string> types;
  for (const Device& device : devices_) {
    const auto state = read_signed(device.state);
    if (state && *state > 0) types.push_back(device.type);
  }
  return types;
}

std::optional<double> gpu_temperature(const Attributes& board) {
  const auto names = board.list(thermal_dir);
  if (!names) return std::nullopt;
  std::optional<double> junction;
  for (const std::string& name : *names) {
    if (!starts_with(name, "thermal_zone")) continue;
    const auto type = board.read(thermal_dir + name + "/type");
    if (!type) continue;
    const std::string zone = lower_case(*type);
    if (starts_with(zone, "gpu-therm")) {
      if (const auto celsius = temperature_of(board, thermal_dir + name)) return celsius;
    }
    if (starts_with(zone, "tj-therm") && !junction) junction = temperature_of(board, thermal_dir + name);
  }
  return junction;
}

}  // namespace sweetspot
