// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cmath>
#include <numeric>

#include "simulator/machine.hpp"

namespace sweetspot {

namespace {

std::string line(double value) {
  return std::to_string(std::llround(value)) + "\n";
}
double millivolts(const RailReading& r) {
  return r.millivolts;
}
double milliamps(const RailReading& r) {
  return r.milliamps;
}

std::string driver_of(PowerMonitor::Layout layout) {
  switch (layout) {
    case PowerMonitor::Layout::hwmon_ina3221:
      return "ina3221";
    case PowerMonitor::Layout::iio_ina3221x:
      return "ina3221x";
    case PowerMonitor::Layout::hwmon_ina238:
      return "ina238";
  }
  return {};
}

}  // namespace

Show Machine::rail_show(const PowerMonitor& monitor, std::size_t channel,
                        std::function<double(const RailReading&)> value) const {
  // Every chip has noise of its own.
  const auto chip =
      std::accumulate(monitor.address.begin(), monitor.address.end(), options_.plant.seed * 1000003U,
                      [](std::uint64_t sum, char c) { return sum * 31U + static_cast<std::uint64_t>(c); });
  PowerSensor sensor(monitor.channels[channel], static_cast<int>(channel), monitor.shunt_milliohm,
                     {.seed = chip, .noise = options_.sensor_noise});
  return [this, sensor, value = std::move(value)](const Opening&) mutable -> Shown {
    sensor.average(samples_);
    return line(value(sensor.read(plant_.history(), start_, plant_.now())));
  };
}

void Machine::add_monitors(int offset) {
  monitor_offset_ = offset;
  rails_.clear();
  const auto& all = board_.monitors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Every other renumbering exchanges the numbers of two chips, the nastiest case.
    const bool exchanged = offset % 2 == 1 && all.size() > 1;
    const int number = exchanged ? all[all.size() - 1 - i].number : all[i].number + 7 * offset;
    add_monitor(all[i], number);
  }
}

void Machine::add_monitor(const PowerMonitor& monitor, int number) {
  const std::string device = "/sys/" + monitor.adapter + "/" + monitor.address;
  const std::string driver = driver_of(monitor.layout);
  tree_.add_text(device + "/uevent", "DRIVER=" + driver + "\nOF_NAME=" + driver +
                                         "\nOF_FULLNAME=" + monitor.of_fullname + "\nOF_COMPATIBLE_0=ti," + driver +
                                         "\nMODALIAS=of:N" + driver);
  tree_.add_text(device + "/name", driver);
  tree_.add_link(device + "/subsystem", "/sys/bus/i2c");
  tree_.add_link("/sys/bus/i2c/drivers/" + driver + "/" + monitor.address, device);
  tree_.add_link("/sys/bus/i2c/devices/" + monitor.address, device);
  tree_.add_link(device + "/driver", "/sys/bus/i2c/drivers/" + driver);
  for (const auto* file : {"bind", "unbind"}) {
    tree_.add_attribute("/sys/bus/i2c/drivers/" + driver + "/" + file, 0200, nullptr,
                        [](std::string_view, const Opening&) { return ENODEV; });
  }
  switch (monitor.layout) {
    case PowerMonitor::Layout::iio_ina3221x:
      return add_ina3221x(monitor, device + "/iio:device" + std::to_string(number));
    case PowerMonitor::Layout::hwmon_ina3221:
      add_hwmon(device, driver, number);
      return add_ina3221(monitor, device + "/hwmon/hwmon" + std::to_string(number));
    case PowerMonitor::Layout::hwmon_ina238:
      add_hwmon(device, driver, number);
      return add_ina238(monitor, device + "/hwmon/hwmon" + std::to_string(number));
  }
}

void Machine::add_hwmon(const std::string& device, const std::string& name, int number) {
  const std::string path = device + "/hwmon/hwmon" + std::to_string(number);
  tree_.add_text(path + "/name", name);
  tree_.add_link(path + "/device", device);
  tree_.add_link(path + "/subsystem", "/sys/class/hwmon");
  tree_.add_bytes(path + "/uevent", "");
  tree_.add_link("/sys/class/hwmon/hwmon" + std::to_string(number), path);
}

void Machine::add_ina3221(const PowerMonitor& monitor, const std::string& path) {
  for (std::size_t i = 0; i < monitor.channels.size(); ++i) add_ina3221_channel(monitor, i, path);
  add_ina3221_sum(monitor, path);
  tree_.add_attribute(path + "/samples", writable, plain([this] { return std::to_string(samples_) + "\n"; }),
                      [this](std::string_view text, const Opening&) {
                        const auto value = kernel_scan_unsigned(text);
                        if (!value || *value == 0 || *value > 1024) return EINVAL;
                        samples_ = static_cast<int>(*value);
                        return 0;
                      });
  // 6.6 ms with three channels, rounded up.
  tree_.add_attribute(path + "/update_interval", writable, plain([this] { return line(std::ceil(6.6 * samples_)); }),
                      [](std::string_view, const Opening&) { return EINVAL; });
}

void Machine::add_ina3221_channel(const PowerMonitor& monitor, std::size_t index, const std::string& path) {
  const RailChannel& channel = monitor.channels[index];
  const std::string n = std::to_string(index + 1);
  const std::string enable = path + "/in" + n + "_enable";
  values_[enable] = channel.enabled ? "1" : "0";
  tree_.add_attribute(enable, writable, plain([this, enable] { return values_[enable] + "\n"; }),
                      [this, enable](std::string_view text, const Opening&) {
                        const auto value = kernel_scan_unsigned(text);
                        if (!value || *value > 1) return EINVAL;
                        values_[enable] = std::to_string(*value);
                        return 0;
                      });
  const auto when_enabled = [this, enable](Show show) -> Show {
    return [this, enable, show = std::move(show)](const Opening& opening) -> Shown {
      if (values_[enable] != "1") return tl::unexpected<int>(ENODATA);
      return show(opening);
    };
  };
  const int shunt = monitor.shunt_milliohm;
  const auto shunt_uv = [shunt](const RailReading& r) { return r.milliamps * shunt; };
  tree_.add_attribute(path + "/in" + n + "_input", read_only, when_enabled(rail_show(monitor, index, millivolts)));
  tree_.add_attribute(path + "/curr" + n + "_input", read_only, when_enabled(rail_show(monitor, index, milliamps)));
  tree_.add_attribute(path + "/in" + std::to_string(index + 4) + "_input", read_only,
                      when_enabled(rail_show(monitor, index, shunt_uv)));
  for (const auto* limit : {"max", "crit"}) {
    tree_.add_text(path + "/curr" + n + "_" + limit, "32760");
    tree_.add_text(path + "/curr" + n + "_" + limit + "_alarm", "0");
  }
  tree_.add_text(path + "/shunt" + n + "_resistor", std::to_string(shunt * 1000));
  if (channel.label.empty()) return;
  tree_.add_text(path + "/in" + n + "_label", channel.label);
  if (channel.label != "NC") {
    rails_.push_back({channel.label, {path + "/in" + n + "_input", path + "/curr" + n + "_input"}, channel.parts});
  }
}

void Machine::add_ina3221_sum(const PowerMonitor& monitor, const std::string& path) {
  std::vector<Show> currents;
  for (std::size_t i = 0; i < monitor.channels.size(); ++i) {
    if (monitor.channels[i].enabled) currents.push_back(rail_show(monitor, i, milliamps));
  }
  const auto sum = [currents](const Opening& opening) {
    double total = 0;
    for (const auto& show : currents) total += std::stod(*show(opening));
    return total;
  };
  const int shunt = monitor.shunt_milliohm;
  tree_.add_text(path + "/in7_label", "sum of shunt voltages");
  tree_.add_attribute(path + "/in7_input", read_only,
                      [sum, shunt](const Opening& opening) -> Shown { return line(sum(opening) * shunt); });
  tree_.add_attribute(path + "/curr4_input", read_only,
                      [sum](const Opening& opening) -> Shown { return line(sum(opening)); });
  tree_.add_text(path + "/curr4_crit", "32760");
  tree_.add_text(path + "/curr4_crit_alarm", "0");
}

void Machine::add_ina3221x(const PowerMonitor& monitor, const std::string& path) {
  tree_.add_text(path + "/name", "ina3221x");
  tree_.add_link("/sys/bus/iio/devices/" + path.substr(path.rfind('/') + 1), path);
  for (std::size_t i = 0; i < monitor.channels.size(); ++i) {
    const std::string n = std::to_string(i);
    const std::string voltage = path + "/in_voltage" + n + "_input";
    const std::string current = path + "/in_current" + n + "_input";
    const std::string power = path + "/in_power" + n + "_input";
    tree_.add_text(path + "/rail_name_" + n, monitor.channels[i].label);
    tree_.add_attribute(voltage, read_only, rail_show(monitor, i, millivolts));
    tree_.add_attribute(current, read_only, rail_show(monitor, i, milliamps));
    tree_.add_attribute(power, read_only,
                        rail_show(monitor, i, [](const RailReading& r) { return r.millivolts * r.milliamps / 1000; }));
    tree_.add_text(path + "/crit_current_limit_" + n, "32760 ma");
    tree_.add_text(path + "/warn_current_limit_" + n, "32760 ma");
    tree_.add_text(path + "/polling_delay_" + n, "0 ms");
    rails_.push_back({monitor.channels[i].label, {voltage, current, power}, monitor.channels[i].parts});
  }
}

// Whole-board input on Thor: power in µW, and a resolution the INA3221 does not have.
void Machine::add_ina238(const PowerMonitor& monitor, const std::string& path) {
  const std::string power = path + "/power1_input";
  tree_.add_attribute(path + "/in1_input", read_only, rail_show(monitor, 0, millivolts));
  tree_.add_attribute(path + "/curr1_input", read_only, rail_show(monitor, 0, milliamps));
  tree_.add_attribute(power, read_only,
                      rail_show(monitor, 0, [](const RailReading& r) { return r.millivolts * r.milliamps; }));
  tree_.add_text(path + "/shunt_resistor", std::to_string(monitor.shunt_milliohm * 1000));
  rails_.push_back({monitor.channels.front().label,
                    {path + "/in1_input", path + "/curr1_input", power},
                    monitor.channels.front().parts});
}

}  // namespace sweetspot
