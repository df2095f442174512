// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/html_table.hpp"
#include "analysis/report_parts.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/wire/date_text.hpp"

namespace sweetspot {
namespace {

/// Jobs with a row of their own: the newest.
constexpr std::size_t most_jobs_shown = 1000;

/// "2026-07-08 09:30", UTC.
std::string minute_of(std::chrono::system_clock::time_point time) {
  std::string text = to_rfc3339(time).substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

std::optional<double> joules(const EnergyRecord& job) {
  return job.energy ? std::optional(job.energy->value) : std::nullopt;
}

std::optional<double> joules_per_step(const EnergyRecord& job) {
  if (!job.energy || !job.steps || *job.steps <= 0) return std::nullopt;
  return job.energy->value / static_cast<double>(*job.steps);
}

std::string notes_of(const EnergyRecord& job) {
  std::vector<std::string> notes;
  if (!job.energy_valid) notes.emplace_back("energy not valid: coverage too low");
  if (job.shared_with > 0) notes.push_back("shared with " + std::to_string(job.shared_with));
  if (job.ended_by != EndedBy::client) notes.emplace_back(name_of(job.ended_by));
  if (job.decision.fallback) notes.emplace_back("fell back");
  return joined(notes, ", ");
}

void add_row(HtmlTable& table, const EnergyRecord& job) {
  const std::string notes = notes_of(job);
  const auto power = job.mean_power ? std::optional(job.mean_power->value) : std::nullopt;
  table.add({{.text = minute_of(job.started)},
             {.text = job.name ? *job.name : job.owner.comm},
             {.text = shown_policy(job.decision.policy)},
             {.text = notes, .classes = notes.empty() ? "" : "long"},
             {.text = clock_in_words(job.applied)},
             {.text = quantity_in_words(Quantity::time, in_seconds(job.duration))},
             {.text = job.steps ? std::to_string(*job.steps) : "–"},
             {.text = quantity_in_words(Quantity::energy, joules(job))},
             {.text = quantity_in_words(Quantity::energy, joules_per_step(job))},
             {.text = quantity_in_words(Quantity::power, power)},
             {.text = share_in_words(job.coverage)}});
}

struct Totals {
  double joules = 0;
  double seconds = 0;
  std::size_t valid = 0;
  std::vector<std::string> rails;  ///< counted in some job, sums as "A + B"
};

Totals totals_of(const std::vector<EnergyRecord>& jobs) {
  constexpr std::size_t most_sums = 4;
  Totals totals;
  for (const EnergyRecord& job : jobs) {
    totals.seconds += in_seconds(job.duration);
    if (!job.energy || !job.energy_valid) continue;
    // Jobs that ran side by side saw the same joules; of each, its own share counts.
    totals.joules += job.share ? job.share->value : job.energy->value;
    ++totals.valid;
    std::string rails = joined(job.rails_counted, " + ");
    const bool known = std::find(totals.rails.begin(), totals.rails.end(), rails) != totals.rails.end();
    if (!known && totals.rails.size() < most_sums) totals.rails.push_back(std::move(rails));
  }
  return totals;
}

std::string tile(const std::string& figure, const std::string& text) {
  return "<div class=\"tile\">\n" + html_paragraph("big", figure) + html_paragraph("", text) + "</div>\n";
}

std::string tiles(const std::vector<EnergyRecord>& jobs) {
  const Totals totals = totals_of(jobs);
  std::string text = tile(std::to_string(jobs.size()), jobs.size() == 1 ? "job" : "jobs");
  text += tile(quantity_in_words(Quantity::time, totals.seconds), "of training");
  if (totals.valid > 0)
    text += tile(quantity_in_words(Quantity::energy, totals.joules),
                 "in " + counted(totals.valid, "job") + " with valid energy, on " + joined(totals.rails, "; "));
  return "<div class=\"tiles\">\n" + text + "</div>\n";
}

}  // namespace

std::string history_part(const Report& report) {
  if (report.jobs.empty()) return report.no_jobs.empty() ? "" : html_paragraph("", report.no_jobs);
  HtmlTable table(
      "Finished jobs, the newest first; times in UTC",
      {"Started", "Job", "Policy", "Notes", "Clock", "Time", "Steps", "Energy", "Per step", "Mean power", "Coverage"},
      4);
  const std::size_t shown = std::min(report.jobs.size(), most_jobs_shown);
  for (std::size_t each = 0; each < shown; ++each) add_row(table, report.jobs[report.jobs.size() - 1 - each]);
  std::string text = tiles(report.jobs) + table.html();
  if (shown < report.jobs.size())
    text +=
        html_paragraph("quiet", "The newest " + std::to_string(shown) + " of " + std::to_string(report.jobs.size()) +
                                    " jobs; `sweetspot jobs --export csv` has all.");
  return text;
}

}  // namespace sweetspot
