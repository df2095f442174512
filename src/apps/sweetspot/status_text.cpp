// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/status_text.hpp"

#include <algorithm>

#include "apps/sweetspot/learned_text.hpp"
#include "apps/sweetspot/text_table.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

using Rows = std::vector<std::vector<std::string>>;
const std::string indent(9, ' ');  // the width of the topics

std::string topic(const std::string& name, const std::string& text) {
  return name + std::string(indent.size() - name.size(), ' ') + text + "\n";
}

std::string or_dash(const std::optional<std::string>& text) {
  return text ? printable(*text) : "-";
}

std::string board_text(const StatusReport& report) {
  std::string text = report.board.model ? printable(*report.board.model) : "unknown board";
  if (report.board.soc) text += ", " + printable(*report.board.soc);
  if (report.board.jetpack) text += ", JetPack " + printable(*report.board.jetpack);
  if (report.board.l4t) text += " (L4T " + printable(*report.board.l4t) + ")";
  if (report.power_mode) text += ", power mode " + printable(*report.power_mode);
  return text;
}

std::string gpu_text(const StatusReport::Gpu& gpu) {
  if (!gpu.node) return "not found yet";
  std::string text = printable(gpu.node->substr(gpu.node->rfind('/') + 1));
  if (!gpu.available.empty())
    text += ", " + std::to_string(gpu.available.size()) + " clocks from " + to_text(gpu.available.front()) + " to " +
            to_text(gpu.available.back());
  if (gpu.min && gpu.max) text += ", allowed " + to_text(*gpu.min) + " to " + to_text(*gpu.max);
  if (gpu.governor) text += ", governor " + printable(*gpu.governor);
  return text;
}

std::string clock_text(const StatusReport& report) {
  const StatusReport::Clock& clock = report.clock;
  std::string text = printable(clock.condition);
  if (clock.applied) text += " at " + to_text(*clock.applied);
  if (clock.goal && clock.goal != clock.applied) text += ", wanted " + to_text(*clock.goal);
  const std::optional<Hertz> current = clock.current ? clock.current : report.gpu.cur;
  if (current) text += ", now " + to_text(*current);
  if (report.gpu_load_percent) text += ", GPU load " + fixed_text(*report.gpu_load_percent, 0) + " %";
  if (!clock.detail.empty()) text += " - " + printable(clock.detail);
  return text;
}

std::string policy_text(const StatusReport::Settings& settings) {
  std::string text = printable(settings.policy);
  if (settings.policy == "mlg") text += settings.second_stage ? " with its second stage" : " without its second stage";
  if (settings.tree) text += ", tree " + printable(*settings.tree);
  text += ", else ffg at " + to_text(settings.ffg) + "; several jobs: " + printable(settings.arbitration);
  text += "; counted: " + printable(settings.objective) + "; pin: " + printable(settings.pin_style);
  return text;
}

std::string sampler_text(const StatusReport::Sampler& sampler) {
  const std::string period = duration_text(std::chrono::milliseconds(sampler.period_ms));
  return (sampler.running ? "every " + period : "resting (every " + period + " while a job or a watcher is there)") +
         ", " + std::to_string(sampler.samples) + " samples so far";
}

std::string rails_text(const StatusReport& report) {
  if (report.rails.empty() && report.rails_left_out.empty()) return topic("Rails", "none found");
  Rows rows;
  for (const StatusReport::Rail& rail : report.rails) {
    rows.push_back({printable(rail.name), rail.power ? power_text(*rail.power) : "-",
                    rail.energy ? energy_text(*rail.energy) : "-", rail.counted ? "counted" : ""});
  }
  std::string text = aligned(rows, indent);
  for (const StatusReport::RailLeftOut& rail : report.rails_left_out)
    text += indent + printable(rail.name) + " left out: " + printable(rail.reason) + "\n";
  return "Rails" + text.substr(std::string("Rails").size());
}

std::string owner_text(const Owner& owner) {
  std::string text = "user " + std::to_string(owner.uid);
  if (owner.pid != 0) text += ", pid " + std::to_string(owner.pid);
  if (!owner.comm.empty()) text += " (" + printable(owner.comm) + ")";
  return text;
}

std::string jobs_text(const std::vector<StatusReport::Job>& jobs) {
  if (jobs.empty()) return topic("Jobs", "none");
  Rows rows{{"ID", "NAME", "CLOCK", "POLICY", "STATE", "TIME", "ENERGY", "POWER", "COVERED", "STEPS", "OWNER"}};
  for (const StatusReport::Job& job : jobs) {
    rows.push_back({std::to_string(job.job_id), or_dash(job.name), decided_clock(job.decision),
                    printable(job.decision.policy), printable(job.state), duration_text(job.duration),
                    job.energy ? energy_text(*job.energy) : "-", job.mean_power ? power_text(*job.mean_power) : "-",
                    percent_text(job.coverage), job.steps ? std::to_string(*job.steps) : "-", owner_text(job.owner)});
  }
  std::string text = "Jobs" + aligned(rows, indent).substr(std::string("Jobs").size());
  for (const StatusReport::Job& job : jobs) {
    if (job.measured) text += learned_text(job, indent);
  }
  return text;
}

std::string health_text(const std::vector<StatusReport::Trouble>& troubles) {
  if (troubles.empty()) return topic("Health", "well");
  std::string text;
  for (const StatusReport::Trouble& trouble : troubles)
    text += topic(text.empty() ? "Health" : "", printable(trouble.reason) + ": " + printable(trouble.detail) +
                                                    " (for " + duration_text(trouble.since) + ")");
  return text;
}

}  // namespace

std::string aligned(const Rows& rows, const std::string& row_indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = row_indent;
    for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - width_of(row[i]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string status_text(const StatusReport& report) {
  std::string text = topic("Service", "sweetspotd " + printable(report.version) + ", pid " +
                                          std::to_string(report.pid) + ", up " + duration_text(report.uptime));
  text += topic("Board", board_text(report));
  text += topic("GPU", gpu_text(report.gpu));
  text += topic("Clock", clock_text(report));
  text += topic("Policy", policy_text(report.settings));
  text += topic("Sampler", sampler_text(report.sampler));
  text += rails_text(report);
  text += jobs_text(report.jobs);
  text += health_text(report.health);
  if (report.oneway_errors > 0)
    text += topic("Calls", std::to_string(report.oneway_errors) + " oneway calls failed, which nobody was told");
  return text;
}

}  // namespace sweetspot
