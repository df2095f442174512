// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/jobs_export.hpp"

#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/wire/date_text.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "sweetspot/wire/spec_json.hpp"

namespace sweetspot {
namespace {

constexpr double share_that_counts = 0.95;

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}
std::string cell(double value) {
  return number_text(value);
}
std::string cell(bool value) {
  return value ? "true" : "false";
}
std::string cell(std::int64_t value) {
  return std::to_string(value);
}
std::string cell(Joules value) {
  return number_text(value.value);
}
std::string cell(Watts value) {
  return number_text(value.value);
}
std::string cell(Hertz value) {
  return std::to_string(value.value);
}
template <class T>
std::string cell(const std::optional<T>& value) {
  return value ? cell(*value) : std::string();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "+") + word;
  return text;
}

std::string rails_text(const std::vector<RailEnergy>& rails) {
  std::string text;
  for (const RailEnergy& rail : rails)
    text += (text.empty() ? "" : ";") + rail.name + "=" + (rail.energy ? number_text(rail.energy->value) : "");
  return text;
}

std::string tags_text(const std::map<std::string, std::string>& tags) {
  std::string text;
  for (const auto& [tag, value] : tags) text += (text.empty() ? "" : ";") + tag + "=" + value;
  return text;
}

/// The columns in which all rows of a curve must be the same.
std::vector<std::pair<const char*, std::string>> head_of_curve(const PastJob& job) {
  const auto text = [](const std::optional<std::string>& value) { return value.value_or(""); };
  return {{"workload", text(job.record.name)},
          {"platform", text(job.record.board)},
          {"model_type", text(job.spec.model_type)},
          {"layers", cell(job.spec.layers)},
          {"hidden_size", cell(job.spec.hidden_size)},
          {"mean_sequence_length", cell(job.spec.mean_sequence_length)},
          {"batch_size", cell(job.spec.batch_size)},
          {"total_steps", job.record.steps && *job.record.steps > 0 ? cell(job.record.steps) : ""},
          {"energy_scope", joined(job.record.rails_counted)},
          {"power_mode", text(job.record.power_mode)}};
}

std::string clock_of(const PastJob& job) {
  if (!job.record.decision.frequency) return "MAXN";
  return number_text(in_megahertz(job.record.applied.value_or(*job.record.decision.frequency)));
}

std::vector<std::pair<const char*, std::string>> cells_of(const PastJob& job) {
  const EnergyRecord& record = job.record;
  auto cells = head_of_curve(job);
  // Of the same curve is what says the same of itself.
  std::string curve;
  for (const auto& [column, text] : cells) curve += (curve.empty() ? "" : "/") + text;
  cells.insert(cells.begin(), {{"number", cell(job.number)},
                               {"started", to_rfc3339(record.started)},
                               {"curve_id", cell(curve)},
                               {"gpu_freq_mhz", clock_of(job)},
                               {"time_s", cell(in_seconds(record.duration))},
                               {"energy_j", cell(record.energy)},
                               {"valid", cell(tells_of_its_clock(job))},
                               {"mean_gpu_load_percent", cell(record.gpu_load_mean)}});
  for (auto& [column, text] : cells) text = column == std::string_view("curve_id") ? text : cell(text);
  const std::vector<std::pair<const char*, std::string>> more{{"mean_power_w", cell(record.mean_power)},
                                                              {"coverage", cell(record.coverage)},
                                                              {"energy_valid", cell(record.energy_valid)},
                                                              {"longest_gap_s", cell(in_seconds(record.longest_gap))},
                                                              {"samples", std::to_string(record.samples)},
                                                              {"policy", cell(record.decision.policy)},
                                                              {"fallback", cell(record.decision.fallback)},
                                                              {"frequency_hz", cell(record.decision.frequency)},
                                                              {"applied_hz", cell(record.applied)},
                                                              {"share_at_clock", cell(record.share_at_clock)},
                                                              {"shared_with", cell(record.shared_with)},
                                                              {"share_j", cell(record.share)},
                                                              {"rails_j", cell(rails_text(record.rails))},
                                                              {"rails_left_out", cell(joined(record.rails_left_out))},
                                                              {"ended_by", std::string(name_of(record.ended_by))},
                                                              {"uid", std::to_string(record.owner.uid)},
                                                              {"pid", std::to_string(record.owner.pid)},
                                                              {"comm", cell(record.owner.comm)},
                                                              {"job_id", cell(record.job_id)},
                                                              {"tags", cell(tags_text(job.spec.tags))},
                                                              {"reason", cell(record.decision.reason)}};
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

}  // namespace

bool tells_of_its_clock(const PastJob& job) {
  const EnergyRecord& record = job.record;
  const bool measured = record.energy && record.energy->value > 0 && record.energy_valid && record.duration.count() > 0;
  const bool at_its_clock =
      !record.decision.frequency || (record.applied && record.share_at_clock.value_or(0) >= share_that_counts);
  return measured && at_its_clock && record.shared_with == 0 && record.ended_by == EndedBy::client;
}

std::string CsvJobs::head() const {
  std::string line;
  for (const auto& [column, text] : cells_of(PastJob{})) line += (line.empty() ? "" : ",") + std::string(column);
  return line + "\n";
}

std::string CsvJobs::row(const PastJob& job) {
  std::string line;
  bool first = true;
  for (const auto& [column, text] : cells_of(job)) {
    if (!std::exchange(first, false)) line += ',';
    line += text;
  }
  return line + "\n";
}

std::string JsonJobs::row(const PastJob& job) {
  return std::string(std::exchange(first_, false) ? "\n" : ",\n") + "{\"number\":" + std::to_string(job.number) +
         ",\"record\":" + record_to_json(job.record) + ",\"spec\":" + spec_to_json(job.spec) + "}";
}

int write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return ExitCode::ok;
  std::perror("sweetspot: standard output");
  return ExitCode::failure;
}

}  // namespace sweetspot
