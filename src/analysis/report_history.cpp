// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

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
  const auto power = job.mean_power ? std::optional(job.mean_power->value) : std::nullopt;
  table.add({{.text = job.name ? *job.name : job.owner.comm, .note = notes_of(job)},
             {.text = minute_of(job.started)},
             {.text = shown_policy(job.decision.policy)},
             {.text = clock_in_words(job.applied)},
             {.text = quantity_in_words(Quantity::time, in_seconds(job.duration))},
             {.text = job.steps ? std::to_string(*job.steps) : "–"},
             {.text = quantity_in_words(Quantity::energy, joules(job))},
             {.text = quantity_in_words(Quantity::energy, joules_per_step(job))},
             {.text = quantity_in_words(Quantity::power, power)},
             {.text = share_in_words(job.coverage)}});
}

/// Joules of jobs whose same rails were counted: other sums do not add up with them.
struct RailsTotal {
  double joules = 0;
  std::size_t jobs = 0;
};

std::map<std::string, RailsTotal> totals_of(const std::vector<EnergyRecord>& jobs) {
  std::map<std::string, RailsTotal> totals;
  for (const EnergyRecord& job : jobs) {
    if (!job.energy || !job.energy_valid) continue;
    RailsTotal& total = totals[joined(job.rails_counted, " + ")];
    // Jobs that ran side by side saw the same joules; of each, its own share counts.
    total.joules += job.share ? job.share->value : job.energy->value;
    ++total.jobs;
  }
  return totals;
}

std::string boards_of(const std::vector<EnergyRecord>& jobs) {
  constexpr std::size_t most = 4;
  std::set<std::string> boards;
  for (const EnergyRecord& job : jobs) {
    if (boards.size() < most) boards.insert(job.board.value_or("a board whose name is not known"));
  }
  return joined(std::vector(boards.begin(), boards.end()), ", ");
}

std::string tile(const std::string& figure, const std::string& text) {
  return "<div class=\"tile\">\n" + html_paragraph("big", figure) + html_paragraph("", text) + "</div>\n";
}

std::string tiles(const std::vector<EnergyRecord>& jobs) {
  constexpr std::size_t most_sums = 4;
  double seconds = 0;
  for (const EnergyRecord& job : jobs) seconds += in_seconds(job.duration);
  std::string text = tile(std::to_string(jobs.size()), (jobs.size() == 1 ? "job on " : "jobs on ") + boards_of(jobs));
  text += tile(quantity_in_words(Quantity::time, seconds), "of training");
  std::size_t sums = 0;
  for (const auto& [rails, total] : totals_of(jobs)) {
    if (++sums > most_sums) break;
    text += tile(quantity_in_words(Quantity::energy, total.joules),
                 "in " + count_in_words(total.jobs, "job") + " with valid energy, on " + rails);
  }
  return "<div class=\"tiles\">\n" + text + "</div>\n";
}

}  // namespace

std::string history_part(const Report& report) {
  if (report.jobs.empty()) return report.no_jobs.empty() ? "" : html_paragraph("", report.no_jobs);
  HtmlTable table(
      "Finished jobs, the newest first; times in UTC",
      {"Job", "Started", "Policy", "Clock", "Time", "Steps", "Energy", "Per step", "Mean power", "Coverage"}, 3);
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
