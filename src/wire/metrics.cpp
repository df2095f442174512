// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/metrics.hpp"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\\\";
    } else if (c == '"') {
      result += "\\\"";
    } else if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result;
}

/// Writes one family after the other: HELP and TYPE come with its first sample, so that an empty family has no line.
class Exposition {
 public:
  struct Family {
    std::string_view name;
    std::string_view type;
    std::string_view help;
  };
  void family(Family family) {
    family_ = family;
    announced_ = false;
  }
  void sample(const Labels& labels, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return;
    if (!announced_) announce();
    text_ += family_.name;
    if (!labels.empty()) {
      char separator = '{';
      for (const auto& [name, label] : labels) {
        text_ += separator;
        text_ += name;
        text_ += "=\"" + escaped(label) + '"';
        separator = ',';
      }
      text_ += '}';
    }
    text_ += ' ' + number_text(*value) + '\n';
  }
  void sample(std::optional<double> value) { sample({}, value); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void announce() {
    announced_ = true;
    const std::string name(family_.name);
    text_ += "# HELP " + name + ' ' + std::string(family_.help) + '\n';
    text_ += "# TYPE " + name + ' ' + std::string(family_.type) + '\n';
  }
  Family family_{};
  bool announced_ = false;
  std::string text_;
};

std::optional<double> number(const std::optional<Hertz>& clock) {
  if (!clock) return std::nullopt;
  return static_cast<double>(clock->value);
}
std::optional<double> number(const std::optional<Watts>& power) {
  if (!power) return std::nullopt;
  return power->value;
}
std::optional<double> number(const std::optional<Joules>& energy) {
  if (!energy) return std::nullopt;
  return energy->value;
}
std::optional<double> number(const std::optional<std::int64_t>& count) {
  if (!count) return std::nullopt;
  return static_cast<double>(*count);
}

void write_daemon(Exposition& out, const StatusReport& report) {
  out.family({"sweetspot_build_info", "gauge", "Version of the daemon and the board it runs on."});
  out.sample({{"version", report.version},
              {"board", report.board.model.value_or("")},
              {"power_mode", report.power_mode.value_or("")}},
             1);
  out.family({"sweetspot_uptime_seconds", "gauge", "Time since the daemon started."});
  out.sample(in_seconds(report.uptime));
  out.family({"sweetspot_connections", "gauge", "Open connections to the daemon."});
  out.sample(static_cast<double>(report.connections));
  out.family({"sweetspot_watchers", "gauge", "Watch calls being served."});
  out.sample(static_cast<double>(report.watchers));
  out.family({"sweetspot_oneway_errors_total", "counter", "Oneway calls that failed."});
  out.sample(static_cast<double>(report.oneway_errors));
  out.family({"sweetspot_samples_total", "counter", "Samples of the power rails taken."});
  out.sample(static_cast<double>(report.sampler.samples));
  out.family({"sweetspot_healthy", "gauge", "1 while the daemon reports no trouble."});
  out.sample(report.health.empty() ? 1 : 0);
  out.family({"sweetspot_trouble_seconds", "gauge", "How long a trouble has lasted."});
  for (const StatusReport::Trouble& trouble : report.health)
    out.sample({{"reason", trouble.reason}}, in_seconds(trouble.since));
}

void write_clock(Exposition& out, const StatusReport& report) {
  out.family({"sweetspot_gpu_clock_goal_hertz", "gauge", "The GPU clock wanted for the running jobs."});
  out.sample(number(report.clock.goal));
  out.family({"sweetspot_gpu_clock_applied_hertz", "gauge", "The GPU clock that the limits hold."});
  out.sample(number(report.clock.applied));
  out.family({"sweetspot_gpu_clock_current_hertz", "gauge", "The GPU clock at the last look."});
  out.sample(number(report.clock.current));
  out.family({"sweetspot_gpu_clock_condition", "gauge", "1 for the condition the clock is in."});
  out.sample({{"condition", report.clock.condition}}, 1);
  out.family({"sweetspot_gpu_load_ratio", "gauge", "GPU load at the last sample, 0 to 1."});
  if (report.gpu_load_percent) out.sample(*report.gpu_load_percent / 100);
}

void write_rails(Exposition& out, const StatusReport& report) {
  out.family({"sweetspot_rail_power_watts", "gauge", "Power of a rail at the last sample."});
  for (const StatusReport::Rail& rail : report.rails) out.sample({{"rail", rail.name}}, number(rail.power));
  out.family({"sweetspot_rail_energy_joules_total", "counter",
              "Energy of a rail over the time it was sampled, that is while a job or a watcher was there."});
  for (const StatusReport::Rail& rail : report.rails) out.sample({{"rail", rail.name}}, number(rail.energy));
  out.family({"sweetspot_rail_counted", "gauge", "1 for the rails that the configured objective counts."});
  for (const StatusReport::Rail& rail : report.rails) out.sample({{"rail", rail.name}}, rail.counted ? 1 : 0);
}

void write_jobs(Exposition& out, const StatusReport& report) {
  const auto labels = [](const StatusReport::Job& job) {
    return Labels{{"job_id", std::to_string(job.job_id)}, {"name", job.name.value_or("")}};
  };
  out.family({"sweetspot_jobs", "gauge", "Running jobs."});
  out.sample(static_cast<double>(report.jobs.size()));
  out.family({"sweetspot_job_duration_seconds", "gauge", "Time since a running job started."});
  for (const StatusReport::Job& job : report.jobs) out.sample(labels(job), in_seconds(job.duration));
  out.family({"sweetspot_job_energy_joules", "gauge", "Energy of a running job on the counted rails so far."});
  for (const StatusReport::Job& job : report.jobs) out.sample(labels(job), number(job.energy));
  out.family({"sweetspot_job_power_watts", "gauge", "Mean power of a running job on the counted rails so far."});
  for (const StatusReport::Job& job : report.jobs) out.sample(labels(job), number(job.mean_power));
  out.family({"sweetspot_job_steps", "gauge", "Training steps that a running job reported."});
  for (const StatusReport::Job& job : report.jobs) out.sample(labels(job), number(job.steps));
  out.family({"sweetspot_job_coverage_ratio", "gauge", "Share of a running job's time that was measured."});
  for (const StatusReport::Job& job : report.jobs) out.sample(labels(job), job.coverage);
}

}  // namespace

std::string metrics_text(const StatusReport& report) {
  Exposition out;
  write_daemon(out, report);
  write_clock(out, report);
  write_rails(out, report);
  write_jobs(out, report);
  return out.take();
}

}  // namespace sweetspot
