// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sweetspot/analysis/sweep_file.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

// Below it more than a twentieth of a run's joules would be another clock's.
constexpr double least_share_at_clock = 0.95;

std::string whole_percent(double share) {
  return fixed_text(std::floor(share * 100), 0) + " %";
}

std::string command_problem(const SweepCurve& curve, const RunEnd& end) {
  if (end.exit_status > 128) return "the command died of signal " + std::to_string(end.exit_status - 128);
  if (end.exit_status != 0) return "the command failed with status " + std::to_string(end.exit_status);
  const auto& wanted = curve.job.total_steps;
  const auto& done = end.record.steps;
  if (wanted && done && *done != *wanted)
    return "the command did " + std::to_string(*done) + " of " + std::to_string(*wanted) + " steps";
  return {};
}

std::string energy_problem(const SweepCurve& curve, const RunEnd& end) {
  const EnergyRecord& record = end.record;
  if (record.ended_by != EndedBy::client)
    return "the job was ended early (" + std::string(name_of(record.ended_by)) + ")";
  if (!record.energy || record.energy->value <= 0) return "the energy was not measured";
  if (!record.energy_valid) return "only " + whole_percent(record.coverage) + " of the time was measured";
  if (record.shared_with > end.own_jobs) return "another job ran at the same time";
  if (record.power_mode.value_or("") != curve.power_mode)
    return "the power mode became " + record.power_mode.value_or("unknown");
  if (!curve.energy_scope.empty() && energy_scope_of(record) != curve.energy_scope)
    return "counted on " + energy_scope_of(record) + " instead of " + curve.energy_scope;
  return {};
}

std::string clock_problem(const SweepPoint& point, const EnergyRecord& record) {
  if (!point.clock) return {};
  if (!record.applied) return "the clock was never held";
  if (*record.applied != *point.clock) return "held " + to_text(*record.applied) + " instead";
  const double share = record.share_at_clock.value_or(0);
  if (share < least_share_at_clock) return "the clock was held for " + whole_percent(share) + " of the time only";
  return {};
}

std::vector<std::optional<double>> joules_of(const std::vector<std::string>& rails, const EnergyRecord& record) {
  std::vector<std::optional<double>> joules;
  for (const std::string& rail : rails) {
    const auto found = std::find_if(record.rails.begin(), record.rails.end(),
                                    [&](const RailEnergy& energy) { return energy.name == rail; });
    const bool measured = found != record.rails.end() && found->energy;
    joules.push_back(measured ? std::optional(found->energy->value) : std::nullopt);
  }
  return joules;
}

}  // namespace

SweepRow row_of(const SweepCurve& curve, const SweepPoint& point, const RunEnd& end) {
  const EnergyRecord& record = end.record;
  SweepRow row{.point = point,
               .held = record.applied,
               .share_at_clock = record.share_at_clock,
               .time_s = in_seconds(record.duration),
               .steps = record.steps,
               .energy_scope = energy_scope_of(record),
               .rail_j = joules_of(curve.rails, record),
               .load_percent = record.gpu_load_mean,
               .coverage = record.coverage,
               .exit_status = end.exit_status};
  if (record.energy) row.energy_j = record.energy->value;
  if (record.mean_power) row.mean_power_w = record.mean_power->value;
  for (const std::string& problem :
       {command_problem(curve, end), energy_problem(curve, end), clock_problem(point, record)}) {
    if (row.reason.empty()) row.reason = problem;
  }
  row.valid = row.reason.empty();
  return row;
}

std::string energy_scope_of(const EnergyRecord& record) {
  std::string scope;
  for (const std::string& rail : record.rails_counted) scope += (scope.empty() ? "" : "+") + rail;
  return scope;
}

}  // namespace sweetspot
