// SPDX-License-Identifier: Apache-2.0
#include "service/status_builder.hpp"

#include <unistd.h>

#include <algorithm>

#include "service/version.hpp"

namespace sweetspot {
namespace {

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

StatusReport::Job job_status(const Job& job, const StatusSources& from) {
  const EnergyRecord record = from.governor.record_so_far(job, from.now);
  StatusReport::Job status{.job_id = job.id,
                           .name = job.spec.name,
                           .state = std::string(name_of(state_of(job, from.governor.clock()))),
                           .decision = job.decision,
                           .owner = job.owner,
                           .started = job.wall_time,
                           .duration = record.duration,
                           .steps = job.steps,
                           .energy = record.energy,
                           .mean_power = record.mean_power,
                           .coverage = record.coverage,
                           .shared_with = record.shared_with,
                           .lease_left = std::nullopt,
                           .measured = std::nullopt};
  if (is_adaptive(job.decision)) status.measured = from.governor.measured(job.id);
  if (job.lease_ends) status.lease_left = std::max(Duration{0}, Duration(*job.lease_ends - from.now));
  return status;
}

void fill_rails(StatusReport& report, const StatusSources& from) {
  const auto& rails = from.sampler.rails;
  const auto choice = choose_rails(rails, from.config.governor.rails);
  const auto& last = from.sampler.meter.last();
  const MeterReading& reading = from.sampler.meter.reading();
  for (std::size_t i = 0; i < rails.size(); ++i) {
    StatusReport::Rail rail;
    rail.name = rails[i];
    if (last) rail.power = last->rails[i];
    if (reading.rails[i].covered.count() > 0) rail.energy = Joules{reading.rails[i].integral};
    rail.counted = choice && std::find(choice->counted.begin(), choice->counted.end(), i) != choice->counted.end();
    report.rails.push_back(std::move(rail));
  }
  if (choice) {
    for (const RailNotCounted& rail : choice->left_out) report.rails_left_out.push_back({rail.name, rail.why});
  }
  for (const RailLeftOut& rail : from.sampler.left_out)
    report.rails_left_out.push_back({rail.label.empty() ? rail.device + "/" + rail.channel : rail.label, rail.reason});
  if (last) report.gpu_load_percent = last->gpu_load_percent;
  report.sampler = {
      .running = from.sampler.running,
      .period_ms = std::chrono::duration_cast<std::chrono::milliseconds>(from.config.sampling.period).count(),
      .samples = reading.samples};
}

StatusReport::Settings settings_of(const Config& config) {
  const GovernorSettings& settings = config.governor;
  StatusReport::Settings shown{.policy = std::string(name_of(settings.policy.policy)),
                               .ffg = settings.policy.ffg_clock,
                               .arbitration = std::string(name_of(settings.arbitration)),
                               .objective = std::string(name_of(settings.rails.objective)),
                               .second_stage = settings.policy.second_stage.enabled,
                               .pin_style = std::string(to_text(config.clock.pin_style)),
                               .tree = std::nullopt};
  if (settings.policy.tree) shown.tree = settings.policy.tree->parts().name;
  return shown;
}

}  // namespace

StatusReport build_status(const StatusSources& from) {
  StatusReport report;
  report.version = version_text;
  report.pid = ::getpid();
  report.uptime = from.now - from.began;
  const BoardIdentity& identity = from.clock.identity;
  report.board = {.model = unless_empty(identity.model),
                  .soc = unless_empty(identity.soc),
                  .l4t = unless_empty(identity.l4t),
                  .jetpack = unless_empty(identity.jetpack)};
  report.power_mode = from.governor.board().power_mode;
  const ClockStatus& clock = from.governor.clock();
  if (from.clock.node) {
    const auto clocks = from.clock.node->table.clocks();
    report.gpu = {.node = from.clock.node->devfreq_dir,
                  .available = {clocks.begin(), clocks.end()},
                  .min = from.clock.limits ? std::optional(from.clock.limits->min) : std::nullopt,
                  .max = from.clock.limits ? std::optional(from.clock.limits->max) : std::nullopt,
                  .governor = unless_empty(from.clock.governor),
                  .cur = clock.current};
  }
  report.clock = {.condition = std::string(name_of(clock.condition)),
                  .goal = clock.goal,
                  .applied = clock.applied,
                  .current = clock.current,
                  .detail = clock.detail};
  report.settings = settings_of(from.config);
  for (const auto& [id, job] : from.governor.jobs()) report.jobs.push_back(job_status(job, from));
  fill_rails(report, from);
  for (const auto& [reason, trouble] : from.governor.health().troubles())
    report.health.push_back({std::string(name_of(reason)), trouble.detail, from.now - trouble.since});
  report.connections = static_cast<std::int64_t>(from.connections);
  report.watchers = static_cast<std::int64_t>(from.watchers);
  report.oneway_errors = from.oneway_errors;
  return report;
}

}  // namespace sweetspot
