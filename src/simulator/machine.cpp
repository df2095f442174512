// SPDX-License-Identifier: Apache-2.0
#include "simulator/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace sweetspot {

namespace {

bool is_below_sys(const std::string& path) {
  return path.rfind("/sys/", 0) == 0;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

}  // namespace

Machine::Machine(Board board, MachineOptions options, Instant start)
    : board_(std::move(board)),
      options_(std::move(options)),
      start_(start),
      tree_(options_.uid, options_.gid),
      plant_(board_, options_.plant, start),
      power_mode_(options_.power_mode.value_or(board_.initial_mode)) {
  add_root_files();
  add_firmware();
  add_nvpmodel();
  add_gpu();
  for (const auto& node : board_.neighbours) add_neighbour(node);
  add_monitors(0);
  if (board_.copy.empty()) {
    add_other_hwmon();
    add_thermal();
  } else {
    add_copied_sensors();
    conform_to_copy("/");
  }
  set_initial_limits();
  plant_.retarget();
  plant_.background(options_.background);
}

void Machine::set_initial_limits() {
  DevfreqModel& devfreq = plant_.devfreq();
  const bool as_recorded = !board_.copy.empty() && !options_.power_mode;
  if (as_recorded && board_.recorded_max && *board_.recorded_max != std::to_string(devfreq.max().value))
    (void)devfreq.store_max(*board_.recorded_max);
  if (as_recorded && board_.recorded_min && *board_.recorded_min != std::to_string(devfreq.min().value))
    (void)devfreq.store_min(*board_.recorded_min);
  if (as_recorded) return;
  for (const auto& mode : board_.modes) {
    if (mode.id == power_mode_ && mode.gpu_cap_hz != 0) (void)devfreq.store_max(std::to_string(mode.gpu_cap_hz));
  }
}

void Machine::schedule(Duration after, std::function<void()> action) {
  events_.emplace(plant_.now() + after, std::move(action));
}

void Machine::advance(Instant now) {
  while (!events_.empty() && events_.begin()->first <= now) {
    auto event = events_.extract(events_.begin());
    plant_.advance(event.key());
    event.mapped()();
  }
  plant_.advance(now);
}

Shown Machine::show(NodeId id, const Opening& opening) {
  const AttributeNode& node = tree_.node(id);
  if (!node.attached) return tl::unexpected<int>(ENODEV);
  if (!node.show) return tl::unexpected<int>(EIO);
  if (const int code = faults_.take_error(node.path, AccessKind::read); code != 0) return tl::unexpected<int>(code);
  if (auto text = faults_.frozen(node.path)) return *text + "\n";
  return node.show(opening);
}

int Machine::store(NodeId id, std::string_view text, const Opening& opening) {
  const std::string path = tree_.node(id).path;
  const Store action = tree_.node(id).store;  // a copy: a store may add files
  int code = 0;
  if (!tree_.node(id).attached) code = ENODEV;
  if (code == 0) code = faults_.take_error(path, AccessKind::write);
  if (code == 0) code = action ? action(text, opening) : EIO;
  if (is_below_sys(path)) ledger_.wrote({path, std::string(text), code, opening.program});
  return code;
}

std::optional<Instant> Machine::held_until(NodeId id, AccessKind kind) const {
  const std::string& path = tree_.node(id).path;
  if (auto until = faults_.held_until(path, kind, plant_.now())) return until;
  if (kind != AccessKind::read || !board_.sensor_reads_wait) return std::nullopt;
  const bool sensor = std::any_of(rails_.begin(), rails_.end(), [&](const Rail& rail) {
    return std::find(rail.files.begin(), rail.files.end(), path) != rail.files.end();
  });
  if (!sensor) return std::nullopt;
  const Duration into_cycle = (plant_.now() - start_) % sensor_cycle;
  return plant_.now() + (sensor_cycle - into_cycle);
}

void Machine::closed(const Opening& opening) {
  const auto own = load_of_opening_.find(opening.id);
  if (own == load_of_opening_.end()) return;
  plant_.end_load(own->second);
  load_of_opening_.erase(own);
}

Result<Machine::Rail> Machine::rail(const std::string& label) const {
  std::string known;
  for (const auto& rail : rails_) {
    if (rail.label == label) return rail;
    known += (known.empty() ? "" : ", ") + rail.label;
  }
  return failure("no rail '" + label + "'; this board has " + known);
}

std::string Machine::file_path(const std::string& name) const {
  std::string path = name;
  if (name.find('/') == std::string::npos) {
    const std::string in_node = gpu_node_path() + "/" + name;
    path = tree_.resolve(in_node) != 0 ? in_node : gpu_device_path() + "/" + name;
  } else if (name.front() != '/') {
    path = "/" + name;
  }
  const NodeId id = tree_.resolve(path);
  return id == 0 ? path : tree_.node(id).path;
}

std::string Machine::truth() const {
  const auto by_rail = [&](const PartPower& parts) {
    std::string text;
    for (const auto& rail : rails_) {
      text += (text.empty() ? "" : ", ") + ("\"" + rail.label + "\": ") + number(rail.parts.watts(parts));
    }
    return "{" + text + "}";
  };
  std::string loads;
  for (const auto& [id, load] : plant_.loads()) {
    loads += std::string(loads.empty() ? "" : ", ") + "{\"workload\": \"" + load.workload +
             "\", \"steps\": " + number(load.steps) + ", \"total\": " + number(load.total) +
             ", \"running\": " + (load.running ? "true" : "false") + ", \"busy_s\": " + number(load.busy_s) +
             ", \"energy_j\": " + by_rail(load.energy) + "}";
  }
  return "{\"time_s\": " + number(in_seconds(plant_.now() - start_)) +
         ", \"clock_hz\": " + std::to_string(plant_.clock().value) +
         ", \"target_hz\": " + std::to_string(plant_.devfreq().target().value) +
         ", \"powered\": " + (plant_.powered() ? "true" : "false") + ", \"load\": " + number(plant_.load()) +
         ", \"time_scale\": " + number(options_.plant.time_scale) + ", \"power_w\": " + by_rail(plant_.power()) +
         ", \"energy_j\": " + by_rail(plant_.energy()) + ", \"loads\": [" + loads + "]}\n";
}

}  // namespace sweetspot
