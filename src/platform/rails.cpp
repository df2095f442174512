// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/rails.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

/// A power monitor on an I2C bus.
struct Monitor {
  std::string driver;
  std::string name;  // "1-0040"
  unsigned bus = 0;
  unsigned address = 0;
};

std::optional<unsigned> whole_number(std::string_view text, int base) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "1-0040": bus in decimal, address in four hex digits. Drivers' folders also hold bind, module, uevent.
std::optional<Monitor> parse_monitor(const std::string& driver, const std::string& name) {
  const std::size_t dash = name.find('-');
  if (dash == std::string::npos || name.size() - dash != 5) return std::nullopt;
  const auto bus = whole_number(std::string_view(name).substr(0, dash), 10);
  const auto address = whole_number(std::string_view(name).substr(dash + 1), 16);
  if (!bus || !address) return std::nullopt;
  return Monitor{driver, name, *bus, *address};
}

std::string folder_of(const Monitor& monitor) {
  return "/sys/bus/i2c/drivers/" + monitor.driver + "/" + monitor.name;
}

std::vector<Monitor> find_monitors(const Attributes& board) {
  std::vector<Monitor> monitors;
  for (const char* driver : {"ina3221", "ina3221x", "ina238", "ina2xx"}) {
    const auto names = board.list(std::string("/sys/bus/i2c/drivers/") + driver);
    if (!names) continue;
    for (const std::string& name : *names) {
      if (auto monitor = parse_monitor(driver, name)) monitors.push_back(std::move(*monitor));
    }
  }
  std::sort(monitors.begin(), monitors.end(), [](const Monitor& a, const Monitor& b) {
    return std::pair(a.bus, a.address) < std::pair(b.bus, b.address);
  });
  return monitors;
}

std::optional<std::string> first_entry(const Attributes& board, const std::string& folder, std::string_view start) {
  const auto names = board.list(folder);
  if (!names) return std::nullopt;
  for (const std::string& name : *names) {
    if (std::string_view(name).substr(0, start.size()) == start) return std::string(folder).append("/").append(name);
  }
  return std::nullopt;
}

/// A label as it may stand in a journal and on a terminal; device trees have printable ASCII in theirs.
std::string plain_label(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) return {};
  std::string label = text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
  std::replace_if(
      label.begin(), label.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return label;
}

/// Why a label is no rail of its own; empty when it is one.
std::string label_refused(const std::string& label) {
  if (label.empty()) return "has no label";
  if (label == "NC") return "is not connected";
  if (label.find("sum of") != std::string::npos) return "is a sum of other channels";
  return {};
}

/// Collects rails and what is left out.
class Collector {
 public:
  Collector(const Attributes& board, RailsFound& found) : board_(board), found_(found) {}

  void add(const Monitor& monitor, const std::string& channel, const std::string& label, RailKind kind,
           std::vector<std::string> files) {
    std::string reason = label_refused(label);
    if (reason.empty()) reason = first_read_refused(files);
    if (!reason.empty()) return leave_out(monitor, channel, label, std::move(reason));
    found_.rails.push_back({label, monitor.name, kind, std::move(files)});
  }

  void leave_out(const Monitor& monitor, const std::string& channel, const std::string& label, std::string reason) {
    found_.left_out.push_back({label, monitor.name, channel, std::move(reason)});
  }

 private:
  /// Only what says that the channel does not exist counts; an I2C error passes.
  std::string first_read_refused(const std::vector<std::string>& files) const {
    for (const std::string& file : files) {
      const auto text = board_.read(file);
      if (text) continue;
      if (text.error().code == ENODATA) return "is disabled (no data)";
      if (text.error().code == ENOENT) return "has no " + file.substr(file.rfind('/') + 1);
    }
    return {};
  }

  const Attributes& board_;
  RailsFound& found_;
};

std::string label_or_empty(const Attributes& board, const std::string& path) {
  const auto text = board.read(path);
  return text ? plain_label(*text) : std::string();
}

/// hwmon driver ina3221: channels 1 to 3; in4…in6 are shunt voltages, in7 and curr4 sums.
void collect_ina3221(const Attributes& board, const Monitor& monitor, Collector& collector) {
  const auto hwmon = first_entry(board, folder_of(monitor) + "/hwmon", "hwmon");
  if (!hwmon) return;
  for (const char* number : {"1", "2", "3"}) {
    const std::string in = *hwmon + "/in" + number;
    const std::string channel = std::string("in") + number;
    const std::string label = label_or_empty(board, in + "_label");
    if (!label.empty() && board.read(in + "_enable") == std::string("0")) {
      collector.leave_out(monitor, channel, label, "is disabled");
      continue;
    }
    collector.add(monitor, channel, label, RailKind::volts_times_amperes,
                  {in + "_input", *hwmon + "/curr" + number + "_input"});
  }
}

/// NVIDIA's IIO driver of JetPack 4: channels 0 to 2, power in mW.
void collect_ina3221x(const Attributes& board, const Monitor& monitor, Collector& collector) {
  const auto iio = first_entry(board, folder_of(monitor), "iio:device");
  if (!iio) return;
  for (const char* number : {"0", "1", "2"}) {
    collector.add(monitor, std::string("in_power") + number, label_or_empty(board, *iio + "/rail_name_" + number),
                  RailKind::milliwatts, {*iio + "/in_power" + number + "_input"});
  }
}

/// One-channel monitors with a power register. Their drivers know no label of their own; the device tree may give one.
void collect_single_channel(const Attributes& board, const Monitor& monitor, Collector& collector) {
  const auto hwmon = first_entry(board, folder_of(monitor) + "/hwmon", "hwmon");
  if (!hwmon) return;
  std::string label;
  for (const char* file : {"/power1_label", "/in1_label", "/label"}) {
    if (label.empty()) label = label_or_empty(board, *hwmon + file);
  }
  // The only INA238 on a Jetson is Thor's, at the board's input; NVIDIA's own tools and jetson_stats call that rail
  // VIN.
  if (label.empty() && monitor.driver == "ina238") label = "VIN";
  if (board.exists(*hwmon + "/power1_input")) {
    return collector.add(monitor, "power1", label, RailKind::microwatts, {*hwmon + "/power1_input"});
  }
  collector.add(monitor, "in1", label, RailKind::volts_times_amperes, {*hwmon + "/in1_input", *hwmon + "/curr1_input"});
}

std::string device_and_channel(const RailSource& rail) {
  const std::string& file = rail.files.front();
  const std::size_t name = file.rfind('/') + 1;
  return rail.device + "/" + file.substr(name, file.rfind("_input") - name);
}

/// Gives every rail that shares its label a longer one; false when none does.
bool lengthen_shared_labels(std::vector<RailSource>& rails) {
  std::map<std::string, int> uses;
  std::map<std::pair<std::string, std::string>, int> uses_of_device;
  for (const RailSource& rail : rails) {
    ++uses[rail.label];
    ++uses_of_device[{rail.device, rail.label}];
  }
  bool some = false;
  for (RailSource& rail : rails) {
    if (uses[rail.label] < 2) continue;
    const bool within_device = uses_of_device[{rail.device, rail.label}] > 1;
    rail.label = (within_device ? device_and_channel(rail) : rail.device) + "/" + rail.label;
    some = true;
  }
  return some;
}

void tell_duplicates_apart(std::vector<RailSource>& rails) {
  // More than once only for a label that looks like one made here.
  while (lengthen_shared_labels(rails)) {
  }
}

}  // namespace

RailsFound find_rails(const Attributes& board) {
  RailsFound found;
  Collector collector(board, found);
  for (const Monitor& monitor : find_monitors(board)) {
    if (monitor.driver == "ina3221") {
      collect_ina3221(board, monitor, collector);
    } else if (monitor.driver == "ina3221x") {
      collect_ina3221x(board, monitor, collector);
    } else {
      collect_single_channel(board, monitor, collector);
    }
  }
  tell_duplicates_apart(found.rails);
  return found;
}

}  // namespace sweetspot
