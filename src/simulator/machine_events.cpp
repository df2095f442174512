// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "simulator/machine.hpp"

namespace sweetspot {

Result<void> Machine::gpu_event(const ControlLine& line) {
  const auto appear = [this] {
    if (gpu_present_) return;
    add_gpu();
    if (board_.copy.empty()) return;
    conform_to_copy(gpu_device_path());
    conform_to_copy("/sys/class/devfreq");
    for (const auto& alias : board_.gpu.aliases) conform_to_copy("/sys/" + alias);
  };
  if (line.verb == ControlVerb::gpu_vanish || line.verb == ControlVerb::gpu_appear) {
    const bool vanish = line.verb == ControlVerb::gpu_vanish;
    const auto after = line.number(vanish ? "for" : "after", 0);
    if (!after) return failure(after.error());
    if ((vanish || *after > 0) && gpu_present_) remove_gpu();
    if (*after > 0) schedule(seconds(*after), appear);
    if (!vanish && *after <= 0) appear();
    return {};
  }
  if (line.verb == ControlVerb::governor) {
    write_limit("governor", line.arguments[0], "governor");
    if (plant_.devfreq().governor() != line.arguments[0]) return failure("no governor '" + line.arguments[0] + "'");
    return {};
  }
  if (line.verb == ControlVerb::kernel) {
    if (line.arguments[0] != "4.9" && line.arguments[0] != "5.10") return failure("expected 4.9 or 5.10");
    plant_.behave_as(line.arguments[0] == "4.9" ? DevfreqModel::Kernel::v4_9 : DevfreqModel::Kernel::v5_10);
    return {};
  }
  plant_.obey(line.verb == ControlVerb::clock_follow);
  return {};
}

Result<void> Machine::thermal_event(const ControlLine& line) {
  if (line.verb == ControlVerb::thermal_cap) {
    const auto hz = line.argument_number(0);
    if (!hz) return failure(hz.error());
    const auto state = line.number("state", 1);
    if (!state) return failure(state.error());
    thermal_cap_ = Hertz{static_cast<std::uint64_t>(*hz)};
    cooling_state_ = static_cast<int>(*state);
    plant_.devfreq().cap(static_cast<std::int32_t>(*hz / 1000));
    plant_.retarget();
    return {};
  }
  const auto steps = line.number("steps", 1);
  if (!steps) return failure(steps.error());
  const auto every = line.number("every", 1);
  if (!every) return failure(every.error());
  raise_cap_step_by_step(static_cast<int>(*steps), seconds(*every));
  return {};
}

// As the step-wise thermal governor lets go: one state at a time.
void Machine::raise_cap_step_by_step(int steps_left, Duration every) {
  if (!thermal_cap_) return;
  const auto clocks = plant_.devfreq().table().clocks();
  const auto higher = std::upper_bound(clocks.begin(), clocks.end(), *thermal_cap_);
  if (steps_left <= 1 || higher == clocks.end()) {
    thermal_cap_.reset();
    cooling_state_ = 0;
    plant_.devfreq().cap(std::nullopt);
    plant_.retarget();
    return;
  }
  thermal_cap_ = *higher;
  cooling_state_ = std::max(1, cooling_state_ - 1);
  plant_.devfreq().cap(static_cast<std::int32_t>(higher->value / 1000));
  plant_.retarget();
  schedule(every, [this, steps_left, every] { raise_cap_step_by_step(steps_left - 1, every); });
}

void Machine::write_limit(const std::string& file, const std::string& text, const std::string& by) {
  const NodeId id = tree_.resolve(gpu_node_path() + "/" + file);
  if (id != 0) (void)store(id, text + "\n", {.id = 0, .program = by});
}

void Machine::rival_write(std::optional<std::string> min, std::optional<std::string> max) {
  if (max) write_limit("max_freq", *max, "rival");
  if (min) write_limit("min_freq", *min, "rival");
}

Result<void> Machine::rival_event(const ControlLine& line) {
  const std::uint64_t generation = ++rival_generation_;
  if (line.verb == ControlVerb::rival_stop) return {};
  const auto every = line.number("every", 0);
  if (!every) return failure(every.error());
  const auto count = line.count();
  if (!count) return failure(count.error());
  const auto option = [&](const char* name) -> std::optional<std::string> {
    const auto found = line.options.find(name);
    return found == line.options.end() ? std::nullopt : std::optional(found->second);
  };
  const auto min = option("min");
  const auto max = option("max");
  if (!min && !max) return failure("expected min= or max=");
  rival_write(min, max);
  if (*every <= 0) return {};
  const auto again = [this, generation, min, max, period = seconds(*every)](const auto& self, int left) -> void {
    if (left == 0 || generation != rival_generation_) return;
    rival_write(min, max);
    schedule(period, [self, left] { self(self, left - 1); });
  };
  const int left = count->value_or(std::numeric_limits<int>::max()) - 1;
  schedule(seconds(*every), [again, left] { again(again, left); });
  return {};
}

// In nvpmodel's order: masks, then MIN 0, then the cap (a huge number where there is none).
Result<void> Machine::change_power_mode(int id, const std::string& by) {
  const auto mode =
      std::find_if(board_.modes.begin(), board_.modes.end(), [&](const BoardMode& m) { return m.id == id; });
  if (mode == board_.modes.end()) return failure("no power mode " + std::to_string(id));
  power_mode_ = id;
  if (board_.gpu.devfreq_dev) tree_.add_text(gpu_device_path() + "/tpc_pg_mask", std::to_string(mode->tpc_mask));
  constexpr std::string_view no_cap = "2147483647";
  write_limit("min_freq", "0", by);
  write_limit("max_freq", mode->gpu_cap_hz == 0 ? std::string(no_cap) : std::to_string(mode->gpu_cap_hz), by);
  return {};
}

Result<void> Machine::board_event(const ControlLine& line) {
  if (line.verb == ControlVerb::hwmon_renumber) {
    for (const auto& monitor : board_.monitors) {
      const NodeId hwmon = tree_.resolve("/sys/" + monitor.adapter + "/" + monitor.address + "/hwmon");
      if (hwmon != 0) {
        for (const auto& [name, id] : tree_.node(hwmon).children) tree_.detach("/sys/class/hwmon/" + name);
      }
      tree_.detach("/sys/" + monitor.adapter + "/" + monitor.address);
    }
    add_monitors(monitor_offset_ + 1);
    return {};
  }
  const auto which = line.argument_number(0);
  if (!which) return failure(which.error());
  if (line.verb == ControlVerb::power_mode) return change_power_mode(static_cast<int>(*which), "nvpmodel");
  if (*which < 1 || *which > 3) return failure("expected 1, 2 or 3");
  const auto count = line.number("count", 1);
  if (!count) return failure(count.error());
  oc_events_[static_cast<int>(*which)] += static_cast<int>(*count);
  return {};
}

}  // namespace sweetspot
