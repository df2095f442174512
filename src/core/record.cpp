// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/record.hpp"

#include <algorithm>

#include "sweetspot/core/job.hpp"

namespace sweetspot {
namespace {

/// What a channel gained between two readings.
MeterReading::Channel gained(const MeterReading::Channel& from, const MeterReading::Channel& to) {
  return {to.integral - from.integral, to.covered - from.covered};
}

RailChoice none_of(const std::vector<std::string>& rails) {
  RailChoice choice;
  for (const std::string& rail : rails) choice.left_out.push_back({rail, "no sum is known for this board"});
  return choice;
}

void fill_clock(EnergyRecord& record, const Job& job) {
  Duration longest{0};
  for (const auto& [clock, held] : job.time_at) {
    if (held <= longest) continue;
    longest = held;
    record.applied = clock;
  }
  if (record.applied && record.duration.count() > 0)
    record.share_at_clock = std::min(1.0, in_seconds(longest) / in_seconds(record.duration));
}

void fill_rails(EnergyRecord& record, const MeterReading& first, const MeterReading& last,
                const std::vector<std::string>& rails) {
  for (std::size_t i = 0; i < rails.size(); ++i) {
    RailEnergy rail{rails[i], std::nullopt, std::nullopt};
    const auto gain = gained(first.rails[i], last.rails[i]);
    if (gain.covered.count() > 0) {
      rail.energy = Joules{gain.integral};
      rail.mean_power = Joules{gain.integral} / gain.covered;
    }
    record.rails.push_back(std::move(rail));
  }
}

void fill_energy(EnergyRecord& record, const Job& job, const RecordContext& context, const RailChoice& choice) {
  const MeterReading& last = context.meter->reading();
  Joules energy{};
  Joules share{};
  Watts power{};
  Duration covered = Duration::max();
  for (const std::size_t rail : choice.counted) {
    if (!record.rails[rail].energy) return;  // one of the rails is unmeasured, and so is the sum
    energy += *record.rails[rail].energy;
    power = power + *record.rails[rail].mean_power;
    share += Joules{job.shares[rail]};
    covered = std::min(covered, gained(job.first->rails[rail], last.rails[rail]).covered);
  }
  record.energy = energy;
  record.share = share;
  record.mean_power = power;
  if (record.duration.count() > 0) record.coverage = std::min(1.0, in_seconds(covered) / in_seconds(record.duration));
  record.energy_valid = record.coverage >= context.minimum_coverage;
}

Duration longest_gap_of(const Job& job, const RecordContext& context, const RailChoice& choice) {
  const Duration before = job.first->at - job.started;  // of this job: its first reading may lie in another job's run
  return std::max(context.meter->longest_gap(job.started, context.until, choice.counted), before);
}

}  // namespace

std::string_view name_of(EndedBy ended_by) {
  switch (ended_by) {
    case EndedBy::client:
      return "client";
    case EndedBy::lost:
      return "lost";
    case EndedBy::expired:
      return "expired";
    case EndedBy::interrupted:
      return "interrupted";
  }
  return {};
}

EnergyRecord record_of(const Job& job, const RecordContext& context) {
  EnergyRecord record;
  record.job_id = job.id;
  record.name = job.spec.name;
  record.decision = job.decision;
  record.started = job.wall_time;
  record.duration = context.until - job.started;
  record.steps = job.steps;
  record.shared_with = job.companions;
  record.owner = job.owner;
  fill_clock(record, job);

  const RailChoice choice = choose_rails(context.rails, job.rails_wanted).value_or(none_of(context.rails));
  record.rails_counted = choice.counted_names;
  for (const RailNotCounted& rail : choice.left_out) record.rails_left_out.push_back(rail.name);
  if (!context.meter || !job.first || context.meter->reading().rails.size() != context.rails.size() ||
      job.first->rails.size() != context.rails.size()) {
    for (const std::string& rail : context.rails) record.rails.push_back({rail, std::nullopt, std::nullopt});
    record.longest_gap = record.duration;
    return record;
  }
  const MeterReading& last = context.meter->reading();
  fill_rails(record, *job.first, last, context.rails);
  if (!choice.counted.empty()) fill_energy(record, job, context, choice);
  record.samples = last.samples - job.first->samples + 1;
  record.longest_gap = choice.counted.empty() ? record.duration : longest_gap_of(job, context, choice);
  const auto load = gained(job.first->gpu_load, last.gpu_load);
  if (load.covered.count() > 0) record.gpu_load_mean = load.integral / in_seconds(load.covered);
  return record;
}

}  // namespace sweetspot
