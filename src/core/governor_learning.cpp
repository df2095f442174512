// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/governor.hpp"
#include "sweetspot/core/number_text.hpp"

// What a job under policy adaptive learned, for the next one like it.
namespace sweetspot {

std::optional<ProfileKey> Governor::profile_key(const JobSpec& spec) const {
  auto key = profile_key_of(spec);
  const auto choice = choose_rails(board_.rails, rails_wanted_by(spec, settings_.rails));
  if (!key || !choice || !board_.board) return std::nullopt;
  key->board = *board_.board;
  key->power_mode = board_.power_mode.value_or("");
  for (const std::string& rail : choice->counted_names) key->rails += (key->rails.empty() ? "" : " ") + rail;
  key->aim = spec.energy_delay.value_or(settings_.adaptive.energy_delay) ? "energy_delay" : "energy";
  const double slowdown = spec.max_slowdown.value_or(settings_.adaptive.max_slowdown);
  if (slowdown >= 1) key->aim += ", at most " + number_text(slowdown) + " times slower";
  key->setup = settings_.setup;
  return key;
}

/// A deadline is another one for every job, so with one nothing that was learned holds.
void Governor::start_where_learned(const JobSpec& spec, Decision& decision) const {
  if (!settings_.adaptive.learning || spec.finish_within_s || !clocks()) return;
  const auto key = profile_key(spec);
  const LearnedProfile* profile = key ? profiles_.find(*key) : nullptr;
  if (!profile) return;
  decision.path.clear();
  decision.clamped_from.reset();
  decision.frequency = profile->clock;
  const std::string jobs = profile->jobs == 1
                               ? "the last job like it stayed"
                               : std::to_string(profile->jobs) + " jobs like it stayed one after the other";
  decision.reason = "starts " + (profile->clock ? "at " + to_text(*profile->clock) : std::string("without a pin")) +
                    ", where " + jobs;
  if (const auto spread = profile->spread())
    decision.reason += ", joules per step within " + fixed_text(100 * *spread, 1) + " % of each other";
  if (profile->clock) map_to_board(decision, *profile->clock, clocks());
}

void Governor::learn_from(const Job& job) {
  if (!settings_.adaptive.learning || job.spec.finish_within_s || adapting_->run.is_held_below()) return;
  const auto key = profile_key(job.spec);
  const auto found = adapting_->run.found();
  if (!key || !found || !(found->joules_per_step > 0)) return;
  const auto lasted = std::chrono::duration_cast<std::chrono::system_clock::duration>(job.ended - job.started);
  lessons_.push_back(profiles_.learn(*key, found->clock, found->joules_per_step, job.wall_time + lasted));
}

std::vector<LearnedProfile> Governor::take_lessons() {
  return std::exchange(lessons_, {});
}

}  // namespace sweetspot
