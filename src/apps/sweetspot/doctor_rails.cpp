// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_rails.hpp"

#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/rail_choice.hpp"
#include "sweetspot/platform/rails.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* bus_fix =
    "see what the bus says: `sudo dmesg | grep -E 'i2c|ina'`; one error passes, a dead sensor does not";

Finding reading_of(const Attributes& board, const RailSource& rail) {
  const std::string where = " at " + rail.device;
  auto reader = RailReader::open(board, rail);
  if (!reader) return {Verdict::fail, "rail", rail.label + where + ": " + reader.error().message, bus_fix};
  const auto power = reader->read();
  if (!power) return {Verdict::fail, "rail", rail.label + where + ": " + power.error().message, bus_fix};
  return {Verdict::ok, "rail", rail.label + where + ", " + power_text(*power) + " now", ""};
}

Finding choice_finding(const std::vector<std::string>& labels) {
  const auto choice = choose_rails(labels, RailsWanted{});
  if (!choice)
    return {Verdict::warn, "rails counted", choice.error().message,
            "name the rails of GPU and CPU: --rails LABEL,LABEL, or in the service's configuration"};
  return {Verdict::ok, "rails counted", sum_text(choice->counted_names), ""};
}

Finding left_out_finding(const std::vector<RailLeftOut>& left_out) {
  std::string text;
  for (const RailLeftOut& rail : left_out) {
    text += (text.empty() ? "" : "; ") + rail.device + " " + rail.channel;
    if (!rail.label.empty()) text += " \"" + rail.label + "\"";
    text += ": " + rail.reason;
  }
  return {Verdict::ok, "rails left out", text, ""};
}

}  // namespace

std::vector<Finding> rail_findings(const Attributes& board) {
  const RailsFound found = find_rails(board);
  std::vector<Finding> findings;
  std::vector<std::string> labels;
  for (const RailSource& rail : found.rails) {
    labels.push_back(rail.label);
    findings.push_back(reading_of(board, rail));
  }
  if (!labels.empty()) findings.push_back(choice_finding(labels));
  if (labels.empty())
    findings.push_back({Verdict::warn, "rails", "no power monitor found; clocks are pinned, energy is not measured",
                        "see whether /sys/bus/i2c/drivers/ina3221 has a device"});
  if (!found.left_out.empty()) findings.push_back(left_out_finding(found.left_out));
  return findings;
}

}  // namespace sweetspot
