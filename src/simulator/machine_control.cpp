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
    const auto count = line.count();
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
    const auto count = line.count();
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
