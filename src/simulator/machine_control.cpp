// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include "simulator/errno_names.hpp"
#include "simulator/machine.hpp"

namespace sweetspot {

namespace {

Result<int> errno_argument(const std::string& name) {
  if (const auto code = errno_of(name)) return *code;
  return failure("unknown error '" + name + "'; expected one of " + errno_list());
}

Result<std::optional<int>> count_option(const ControlLine& line) {
  const auto count = line.number("count", -1);
  if (!count) return failure(count.error());
  return *count < 0 ? std::optional<int>{} : std::optional<int>{static_cast<int>(*count)};
}

Result<std::vector<AccessKind>> kinds(const std::string& word) {
  if (word == "read") return std::vector{AccessKind::read};
  if (word == "write") return std::vector{AccessKind::write};
  if (word == "both") return std::vector{AccessKind::read, AccessKind::write};
  return failure("'" + word + "': expected read, write or both");
}

}  // namespace

Result<void> Machine::control(std::string_view text, const Opening& opening) {
  const auto line = parse_control_line(text);
  Result<void> done = line ? carry_out(*line, opening) : failure(line.error());
  if (!done) last_error_ = "`" + std::string(text) + "`: " + done.error().message;
  return done;
}

Result<void> Machine::carry_out(const ControlLine& line, const Opening& opening) {
  switch (line.verb) {
    case ControlVerb::load_start:
      return start_load(line, opening);
    case ControlVerb::load_end:
      closed(opening);
      return {};
    case ControlVerb::write_error:
    case ControlVerb::read_error:
    case ControlVerb::block:
    case ControlVerb::slow:
    case ControlVerb::set:
    case ControlVerb::clear:
      return file_fault(line);
    case ControlVerb::gpu_vanish:
    case ControlVerb::gpu_appear:
    case ControlVerb::clock_stuck:
    case ControlVerb::clock_follow:
    case ControlVerb::governor:
    case ControlVerb::kernel:
      return gpu_event(line);
    case ControlVerb::thermal_cap:
    case ControlVerb::thermal_clear:
      return thermal_event(line);
    case ControlVerb::rival:
    case ControlVerb::rival_stop:
      return rival_event(line);
    case ControlVerb::sensor_stuck:
    case ControlVerb::sensor_error:
    case ControlVerb::sensor_clear:
      return sensor_fault(line);
    case ControlVerb::power_mode:
    case ControlVerb::hwmon_renumber:
    case ControlVerb::oc:
      return board_event(line);
    case ControlVerb::kill_at:
    case ControlVerb::kill_cancel:
    case ControlVerb::accesses_restart:
    case ControlVerb::writes_clear:
      return ledger_event(line);
  }
  return failure("not handled");
}

Result<void> Machine::start_load(const ControlLine& line, const Opening& opening) {
  const auto work = find_workload(line.arguments[0]);
  if (!work) return failure(work.error());
  if (work->step.work_mhz_s <= 0) return failure("'" + work->id + "' has no steps");
  const auto steps = line.number("steps", 0);
  if (!steps) return failure(steps.error());
  if (*steps < 0) return failure("steps must not be negative");
  closed(opening);
  load_of_opening_[opening.id] = plant_.start_load(*work, *steps);
  return {};
}

Result<void> Machine::file_fault(const ControlLine& line) {
  if (line.verb == ControlVerb::clear && line.arguments[0] == "all") {
    faults_.clear_all();
    return {};
  }
  const std::string path = file_path(line.arguments[0]);
  if (line.verb == ControlVerb::clear) {
    faults_.clear(path);
    return {};
  }
  if (line.verb == ControlVerb::set) {
    faults_.freeze(path, line.arguments[1]);
    return {};
  }
  if (line.verb == ControlVerb::write_error || line.verb == ControlVerb::read_error) {
    const auto code = errno_argument(line.arguments[1]);
    if (!code) return failure(code.error());
    const auto count = count_option(line);
    if (!count) return failure(count.error());
    faults_.fail(path, line.verb == ControlVerb::write_error ? AccessKind::write : AccessKind::read, *code, *count);
    return {};
  }
  const auto which = kinds(line.arguments[1]);
  if (!which) return failure(which.error());
  const auto time = line.argument_number(2);
  if (!time) return failure(time.error());
  for (const AccessKind kind : *which) {
    if (line.verb == ControlVerb::block) faults_.block(path, kind, plant_.now() + seconds(*time));
    if (line.verb == ControlVerb::slow) faults_.slow(path, kind, seconds(*time));
  }
  return {};
}

void Machine::freeze(const std::string& path) {
  const NodeId id = tree_.resolve(path);
  if (id == 0 || !tree_.node(id).show) return;
  auto text = tree_.node(id).show({});
  if (!text) return;
  if (!text->empty() && text->back() == '\n') text->pop_back();
  faults_.freeze(path, *text);
}

Result<void> Machine::sensor_fault(const ControlLine& line) {
  const auto found = rail(line.arguments[0]);
  if (!found) return failure(found.error());
  if (line.verb == ControlVerb::sensor_error) {
    const auto code = errno_argument(line.arguments[1]);
    if (!code) return failure(code.error());
    const auto count = count_option(line);
    if (!count) return failure(count.error());
    for (const auto& file : found->files) faults_.fail(file, AccessKind::read, *code, *count);
    return {};
  }
  for (const auto& file : found->files) {
    if (line.verb == ControlVerb::sensor_stuck) freeze(file);
    if (line.verb == ControlVerb::sensor_clear) faults_.clear(file);
  }
  return {};
}

Result<void> Machine::gpu_event(const ControlLine& line) {
  const auto appear = [this] {
    if (!gpu_present_) add_gpu();
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
  const auto count = count_option(line);
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
      std::find_if(board_.modes.begin(), board_.modes.end(), [&](const PowerMode& m) { return m.id == id; });
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

Result<void> Machine::ledger_event(const ControlLine& line) {
  if (line.verb == ControlVerb::kill_cancel) ledger_.cancel_order();
  if (line.verb == ControlVerb::accesses_restart) ledger_.restart();
  if (line.verb == ControlVerb::writes_clear) ledger_.forget_writes();
  if (line.verb != ControlVerb::kill_at) return {};
  const auto nth = line.argument_number(0);
  if (!nth) return failure(nth.error());
  if (*nth < 1) return failure("counting starts at 1");
  const std::string& when = line.arguments[1];
  if (when != "before" && when != "after") return failure("expected before or after");
  const auto program = line.options.find("comm");
  ledger_.order({.nth = static_cast<std::uint64_t>(*nth),
                 .fate = when == "before" ? Fate::dies_before : Fate::dies_after,
                 .program = program == line.options.end() ? "" : program->second});
  return {};
}

}  // namespace sweetspot
