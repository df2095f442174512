// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cmath>

#include "simulator/machine.hpp"

namespace sweetspot {

namespace {

constexpr double millidegrees_per_watt = 500;
constexpr double cool_millidegrees = 42000;
const std::string thermal_folder = "/sys/class/thermal/";

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

bool names_gpu(const std::string& type) {
  const std::string name = lower_case(type);
  return name.find("gpu") != std::string::npos || name.find("devfreq") != std::string::npos;
}

bool played_beside_the_copy(const std::string& path) {
  // A statistic of the past, which no recording holds.
  constexpr std::string_view statistics = "/trans_stat";
  return path.size() > statistics.size() && path.substr(path.size() - statistics.size()) == statistics;
}

bool is_at_or_below(const std::string& path, const std::string& folder) {
  return folder == "/" || path == folder || path.compare(0, folder.size() + 1, folder + "/") == 0;
}

}  // namespace

// A recorded temperature follows the power from where it was; one that could not be read is the gated GPU's.
void Machine::add_copied_zone(const std::string& folder) {
  const std::string path = folder + "/temp";
  const auto recorded = board_.copy.number(path);
  const int code = board_.copy.error(path);
  const double watts = plant_.power().gpu + plant_.power().cpu;
  if (!recorded && code == 0) return;
  // -256 degrees are what a sensor that is off reads on some releases.
  if (recorded && *recorded <= -100000) return;
  tree_.add_attribute(path, read_only, [this, recorded, code, watts](const Opening&) -> Shown {
    if (!recorded && !plant_.powered()) return tl::unexpected<int>(code);
    const double more = millidegrees_per_watt * (plant_.power().gpu + plant_.power().cpu - watts);
    return std::to_string(std::llround(recorded.value_or(cool_millidegrees) + more)) + "\n";
  });
}

// What of the copy moves while the board is played, besides GPU and rails.
void Machine::add_copied_sensors() {
  const BoardCopy& copy = board_.copy;
  for (const std::string& name : copy.list(thermal_folder)) {
    const auto folder = copy.real_path(thermal_folder + name);
    if (folder && name.compare(0, 12, "thermal_zone") == 0) add_copied_zone(*folder);
    const auto state = folder ? copy.number(*folder + "/cur_state") : std::nullopt;
    if (!state || !names_gpu(copy.text(*folder + "/type").value_or(""))) continue;
    cooling_state_ = std::max(cooling_state_, static_cast<int>(*state));
    tree_.add_attribute(*folder + "/cur_state", read_only,
                        plain([this] { return std::to_string(cooling_state_) + "\n"; }));
  }
  for (const std::string& name : copy.list("/sys/class/hwmon")) {
    const auto folder = copy.real_path("/sys/class/hwmon/" + name);
    if (!folder || copy.text(*folder + "/name") != "soctherm_oc") continue;
    for (int i = 1; i <= 3; ++i) {
      const std::string file = *folder + "/oc" + std::to_string(i) + "_event_cnt";
      const auto count = copy.number(file);
      if (!count) continue;
      oc_events_[i] = static_cast<int>(*count);
      tree_.add_attribute(file, read_only, plain([this, i] { return std::to_string(oc_events_[i]) + "\n"; }));
    }
  }
  std::erase_if(rails_, [this](const Rail& rail) {
    const auto& fixed = board_.fixed_rails;
    if (std::find(fixed.begin(), fixed.end(), rail.label) == fixed.end()) return false;
    for (const auto& file : rail.files) tree_.detach(file);
    return true;
  });
}

// The copy decides which files exist, their modes, and the text of all that do not move.
void Machine::conform_to_copy(const std::string& below) {
  const auto& files = board_.copy.files();
  for (const char* top : {"/sys", "/etc", "/var"}) {
    for (const std::string& path : tree_.leaves_below(top)) {
      const bool wanted = files.count(path) != 0 || played_beside_the_copy(path);
      if (!wanted && is_at_or_below(path, below)) tree_.detach(path);
    }
  }
  for (const auto& [path, file] : files) {
    if (!is_at_or_below(path, below)) continue;
    NodeId id = tree_.exactly(path);
    if (file.is_link) {
      if (id == 0 || tree_.node(id).target != file.text) tree_.add_relative_link(path, file.text);
      continue;
    }
    const bool moves = id != 0 && tree_.node(id).show && !tree_.node(id).constant;
    if (moves && values_.count(path) != 0) values_[path] = file.text;
    if (!moves && file.code == 0) tree_.add_bytes(path, bytes_of(file));
    if (!moves && file.code != 0)
      tree_.add_attribute(path, read_only,
                          [code = file.code](const Opening&) -> Shown { return tl::unexpected<int>(code); });
    id = tree_.exactly(path);
    if (file.mode) tree_.node(id).mode = *file.mode;
  }
}

}  // namespace sweetspot
