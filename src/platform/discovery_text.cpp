// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/discovery_text.hpp"

#include <array>
#include <cstdio>
#include <system_error>

#include "sweetspot/core/rail_choice.hpp"
#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/oc_events.hpp"
#include "sweetspot/platform/power_mode.hpp"
#include "sweetspot/platform/rails.hpp"
#include "sweetspot/platform/thermal.hpp"

namespace sweetspot {
namespace {

std::string to_text(RailKind kind) {
  switch (kind) {
    case RailKind::volts_times_amperes:
      return "mV x mA";
    case RailKind::milliwatts:
      return "mW";
    case RailKind::microwatts:
      return "uW";
  }
  return "?";
}

std::string decimals(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string megahertz_text(Hertz clock) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.6g", in_megahertz(clock));
  return text.data();
}

void tell(std::string& text, const std::string& key, const std::string& value) {
  if (!value.empty()) text += key + " = " + value + "\n";
}

void tell_identity(std::string& text, const Attributes& board) {
  const BoardIdentity identity = identify_board(board);
  tell(text, "model", identity.model);
  tell(text, "id", identity.id);
  tell(text, "soc", identity.soc);
  tell(text, "l4t", identity.l4t);
  tell(text, "jetpack", identity.jetpack);
  if (const auto mode = read_power_mode(board))
    tell(text, "mode", std::to_string(mode->id) + (mode->name.empty() ? "" : " ") + mode->name);
}

void tell_gpu(std::string& text, const Attributes& board) {
  const auto node = find_gpu(board, identify_board(board));
  if (!node) return tell(text, "no gpu", node.error().message);
  tell(text, "gpu", node->name);
  tell(text, "devfreq", node->devfreq_dir);
  std::string clocks;
  for (const Hertz clock : node->table.clocks()) clocks += (clocks.empty() ? "" : " ") + megahertz_text(clock);
  tell(text, "clocks", clocks);
  tell(text, "load", node->load_file.value_or(""));
  tell(text, "railgate", node->railgate_file.value_or(""));
  if (node->limits_may_hang) text += "limits may hang\n";
}

std::string power_now(const Attributes& board, const RailSource& rail) {
  auto reader = RailReader::open(board, rail);
  if (!reader) return reader.error().message;
  const auto power = reader->read();
  if (!power) return std::generic_category().message(power.error().code);
  return decimals(power->value, 6) + " W";
}

void tell_choice(std::string& text, const std::vector<std::string>& labels, const char* name, Objective objective) {
  const auto choice = choose_rails(labels, RailsWanted{.objective = objective, .labels = {}});
  std::string counted;
  if (choice) {
    for (const std::string& label : choice->counted_names) counted += (counted.empty() ? "" : " ") + label;
  }
  tell(text, name, choice ? counted : choice.error().message);
}

void tell_rails(std::string& text, const Attributes& board) {
  const RailsFound found = find_rails(board);
  std::vector<std::string> labels;
  for (const RailSource& rail : found.rails) {
    tell(text, "rail", rail.label + " at " + rail.device + ": " + to_text(rail.kind) + ", " + power_now(board, rail));
    labels.push_back(rail.label);
  }
  for (const RailLeftOut& rail : found.left_out) {
    const std::string label = rail.label.empty() ? "" : rail.label + " ";
    tell(text, "left out", rail.device + " " + rail.channel + " " + label + rail.reason);
  }
  tell_choice(text, labels, "gpu+cpu", Objective::gpu_and_cpu);
  tell_choice(text, labels, "module", Objective::module);
}

}  // namespace

std::string discovery_text(const Attributes& board) {
  std::string text;
  tell_identity(text, board);
  tell_gpu(text, board);
  tell_rails(text, board);
  if (const auto celsius = gpu_temperature(board)) tell(text, "temperature", decimals(*celsius, 3));
  if (const auto events = over_current_events(board)) tell(text, "over-current events", std::to_string(*events));
  return text;
}

}  // namespace sweetspot
