// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/oc_events.hpp"

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

bool is_event_count(std::string_view name) {
  constexpr std::string_view end = "_event_cnt";
  return name.substr(0, 2) == "oc" && name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}

}  // namespace

std::optional<std::uint64_t> over_current_events(const Attributes& board) {
  const std::string hwmon = "/sys/class/hwmon/";
  const auto devices = board.list(hwmon);
  if (!devices) return std::nullopt;
  std::optional<std::uint64_t> sum;
  for (const std::string& device : *devices) {
    const auto name = board.read(hwmon + device + "/name");
    if (!name || *name != "soctherm_oc") continue;
    const auto files = board.list(hwmon + device);
    if (!files) continue;
    for (const std::string& file : *files) {
      if (!is_event_count(file)) continue;
      if (const auto count = read_unsigned(board, hwmon + device + "/" + file)) sum = sum.value_or(0) + *count;
    }
  }
  return sum;
}

}  // namespace sweetspot
