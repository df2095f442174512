// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/jobs_text.hpp"

#include <array>
#include <ctime>

#include "apps/sweetspot/jobs_export.hpp"
#include "apps/sweetspot/text_table.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

const std::string dash = "-";

/// In the reader's own time zone, as `date` would say it.
std::string local_date(std::chrono::system_clock::time_point moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm parts{};
  std::array<char, 32> text{};
  if (::localtime_r(&seconds, &parts) == nullptr) return dash;
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

std::chrono::system_clock::time_point end_of(const EnergyRecord& record) {
  return record.started + std::chrono::duration_cast<std::chrono::system_clock::duration>(record.duration);
}

std::optional<double> joules_per_step(const EnergyRecord& record) {
  if (!record.energy || !record.steps || *record.steps <= 0) return std::nullopt;
  return record.energy->value / static_cast<double>(*record.steps);
}

std::string clock_text(const EnergyRecord& record) {
  if (!record.decision.frequency) return "unpinned";
  return record.applied ? to_text(*record.applied) : "never held";
}

/// What must be the same for one job's joules per step to be held against another's.
std::string kind_of(const PastJob& job) {
  const auto number = [](const auto& value) { return value ? number_text(static_cast<double>(*value)) : dash; };
  std::string kind = *job.record.name;
  for (const std::string& part :
       {number(job.spec.layers), number(job.spec.hidden_size), number(job.spec.mean_sequence_length),
        number(job.spec.batch_size), job.record.board.value_or(dash), job.record.power_mode.value_or(dash)})
    kind += '\n' + part;
  for (const std::string& rail : job.record.rails_counted) kind += '\n' + rail;
  return kind;
}

bool can_be_compared(const PastJob& job) {
  return job.record.name && tells_of_its_clock(job) && joules_per_step(job.record);
}

std::string line(const std::string& topic, const std::string& text) {
  constexpr std::size_t width = 13;
  return topic + std::string(width - topic.size(), ' ') + text + "\n";
}

std::string decision_lines(const Decision& decision) {
  std::string text = line(
      "policy", printable(decision.policy) + (decision.fallback ? " (fallback)" : "") + ", " + decided_clock(decision));
  if (decision.clamped_from) text += line("wanted", to_text(*decision.clamped_from));
  if (!decision.reason.empty()) text += line("why", printable(decision.reason));
  for (const std::string& step : decision.path) text += line("", printable(step));
  return text;
}

std::string energy_lines(const EnergyRecord& record) {
  std::string text = line(
      "energy", record.energy ? energy_text(*record.energy) + " on " + sum_text(record.rails_counted) : "not measured");
  if (record.mean_power) text += line("mean power", power_text(*record.mean_power));
  if (const auto joules = joules_per_step(record)) text += line("per step", energy_text({*joules}));
  text += line("coverage", percent_text(record.coverage) + ", longest gap " + duration_text(record.longest_gap) + ", " +
                               std::to_string(record.samples) + " samples" +
                               (record.energy_valid ? "" : "; too little to trust the energy"));
  if (record.shared_with > 0)
    text += line("shared with", std::to_string(record.shared_with) + " other jobs" +
                                    (record.share ? ", equal share " + energy_text(*record.share) : ""));
  for (const RailEnergy& rail : record.rails)
    text += line("  rail", printable(rail.name) + ": " + (rail.energy ? energy_text(*rail.energy) : "not measured") +
                               (rail.mean_power ? ", " + power_text(*rail.mean_power) : ""));
  if (!record.rails_left_out.empty()) text += line("left out", sum_text(record.rails_left_out));
  return text;
}

std::string spec_lines(const JobSpec& spec) {
  std::string said;
  const auto add = [&said](const char* what, const auto& value) {
    if (value) said += (said.empty() ? "" : ", ") + std::string(what) + " " + number_text(static_cast<double>(*value));
  };
  if (spec.model_type) said = printable(*spec.model_type);
  add("layers", spec.layers);
  add("hidden size", spec.hidden_size);
  add("sequence length", spec.mean_sequence_length);
  add("batch size", spec.batch_size);
  add("steps", spec.total_steps);
  std::string text = said.empty() ? "" : line("model", said);
  for (const auto& [tag, value] : spec.tags) text += line("tag", printable(tag) + " = " + printable(value));
  return text;
}

}  // namespace

Result<Baselines> Baselines::in(const HistoryReader& history) {
  Baselines baselines;
  const auto visited = history.records({.policy = "none"}, [&](const PastJob& job) {
    baselines.add(job);
    return true;
  });
  if (!visited) return failure(visited.error());
  return baselines;
}

void Baselines::add(const PastJob& job) {
  if (!can_be_compared(job) || job.record.decision.frequency) return;
  Mean& mean = joules_per_step_[kind_of(job)];
  mean.sum += *joules_per_step(job.record);
  ++mean.count;
}

std::optional<double> Baselines::saving_of(const PastJob& job) const {
  if (!can_be_compared(job) || !job.record.decision.frequency) return std::nullopt;
  const auto found = joules_per_step_.find(kind_of(job));
  if (found == joules_per_step_.end()) return std::nullopt;
  return 1 - *joules_per_step(job.record) / (found->second.sum / static_cast<double>(found->second.count));
}

void JobsTable::add(const PastJob& job) {
  const EnergyRecord& record = job.record;
  const auto joules = joules_per_step(record);
  const auto saving = baselines_.saving_of(job);
  any_saving_ = any_saving_ || saving.has_value();
  any_fallback_ = any_fallback_ || record.decision.fallback;
  any_untrusted_ = any_untrusted_ || (record.energy && !record.energy_valid);
  rows_.push_back({std::to_string(job.number), local_date(end_of(record)), record.name ? printable(*record.name) : dash,
                   printable(record.decision.policy) + (record.decision.fallback ? "*" : ""),
                   std::string(name_of(record.ended_by)), clock_text(record), duration_text(record.duration),
                   record.energy ? energy_text(*record.energy) + (record.energy_valid ? "" : "?") : dash,
                   record.mean_power ? power_text(*record.mean_power) : dash, joules ? energy_text({*joules}) : dash,
                   record.energy ? percent_text(record.coverage) : dash, share_text(saving)});
}

std::string JobsTable::text() const {
  std::vector<std::string> head{"no.",  "ended",  "name",  "policy",   "ended by", "clock",
                                "time", "energy", "power", "per step", "measured", "saved"};
  if (!any_saving_) head.pop_back();
  TextTable table(head, 5);
  for (std::vector<std::string> row : rows_) {
    row.resize(head.size());
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (any_fallback_) text += "*: the policy asked for lacked a number and fell back.\n";
  if (any_untrusted_) text += "?: too little of the time was measured to trust the energy.\n";
  if (any_saving_)
    text +=
        "saved: joules per step, against the mean of jobs of that name, numbers, rails, board and power mode that "
        "ran unpinned.\n";
  return text;
}

std::string job_text(const PastJob& job) {
  const EnergyRecord& record = job.record;
  std::string text = line("no.", std::to_string(job.number) + (record.name ? ", " + printable(*record.name) : "") +
                                     " (job " + std::to_string(record.job_id) + " of its daemon)");
  text += line("started", local_date(record.started));
  text += line("ended", local_date(end_of(record)) + ", " + std::string(name_of(record.ended_by)) + ", after " +
                            duration_text(record.duration));
  text += decision_lines(record.decision);
  text += line("clock", clock_text(record) + (record.share_at_clock && record.decision.frequency
                                                  ? ", " + percent_text(*record.share_at_clock) + " of the time"
                                                  : ""));
  if (record.steps) text += line("steps", std::to_string(*record.steps));
  text += energy_lines(record);
  if (record.gpu_load_mean) text += line("GPU load", fixed_text(*record.gpu_load_mean, 1) + " %");
  if (record.board) text += line("board", printable(*record.board));
  if (record.power_mode) text += line("power mode", printable(*record.power_mode));
  text += spec_lines(job.spec);
  return text + line("owner", "uid " + std::to_string(record.owner.uid) + ", pid " + std::to_string(record.owner.pid) +
                                  (record.owner.comm.empty() ? "" : " (" + printable(record.owner.comm) + ")"));
}

}  // namespace sweetspot
