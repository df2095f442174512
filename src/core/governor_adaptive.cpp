// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sweetspot/core/governor.hpp"

// A job under policy adaptive: its reports and the meter go to its AdaptiveRun, whose goal is the job's clock. Joules
// can be laid to a job's steps only while it runs alone, so there is one run at most, and it begins with the first
// report of a job that is alone.
namespace sweetspot {
namespace {

/// A cap that comes and goes within this is waited for.
constexpr Duration cap_patience = seconds(5);

/// The belief grows with their square. Boards have 5 to 60.
constexpr std::size_t most_clocks = 128;

/// Empty: the cap is below every clock.
std::optional<FrequencyTable> within_cap(const BoardClocks& board) {
  std::vector<Hertz> clocks;
  for (const Hertz clock : board.table.clocks()) {
    if (clock <= board.cap) clocks.push_back(clock);
  }
  auto table = FrequencyTable::from(std::move(clocks));
  return table ? std::optional(*std::move(table)) : std::nullopt;
}

/// Empty: one of the rails was not measured.
std::optional<CountedEnergy> counted_energy(const EnergyMeter& meter, const RailChoice& choice) {
  const auto& last = meter.last();
  if (!last || choice.counted.empty()) return std::nullopt;
  CountedEnergy counted{.at = meter.reading().at, .rails = static_cast<std::int64_t>(choice.counted.size())};
  for (const std::size_t rail : choice.counted) {
    if (!last->rails[rail]) return std::nullopt;
    counted.power = counted.power + *last->rails[rail];
    counted.energy += Joules{meter.reading().rails[rail].integral};
    counted.covered += meter.reading().rails[rail].covered;
  }
  return counted;
}

AdaptiveSettings adaptive_settings(const Job& job, const AdaptiveDefaults& defaults) {
  AdaptiveSettings settings{.window = defaults.window, .settle = defaults.settle};
  settings.aim.max_slowdown = job.spec.max_slowdown;
  if (!settings.aim.max_slowdown && defaults.max_slowdown >= 1) settings.aim.max_slowdown = defaults.max_slowdown;
  if (job.spec.finish_within_s) settings.aim.finish_by = job.started + seconds(*job.spec.finish_within_s);
  if (job.spec.energy_delay.value_or(defaults.energy_delay)) settings.aim.least = Least::energy_delay;
  return settings;
}

}  // namespace

Job* Governor::adapting_job() {
  if (!adapting_) return nullptr;
  const auto found = jobs_.find(adapting_->job);
  return found == jobs_.end() || found->second.ended_by ? nullptr : &found->second;
}

std::string Governor::hindrance_for(const Job& job) const {
  if (running_jobs() > 1) return "rests while another job runs, since their energy cannot be told apart";
  if (clocks() && clocks()->table.clocks().size() > most_clocks)
    return "measures nothing: the board has more than " + std::to_string(most_clocks) + " clocks";
  if (board_.rails.empty()) return "measures nothing: the board's power rails are not there";
  const auto choice = choose_rails(board_.rails, job.rails_wanted);
  return choice ? "" : "measures nothing: " + choice.error().message;
}

bool Governor::measures(const Job& job) const {
  if (!hindrance_for(job).empty()) return false;
  if (!job.decision.frequency) return clock_.condition == ClockCondition::released;
  return clock_.condition == ClockCondition::pinned && clock_.applied == job.decision.frequency;
}

void Governor::begin_adapting(const Job& job, std::string note) {
  auto table = clocks() ? within_cap(*clocks()) : std::nullopt;
  if (!table) return;
  adapting_.emplace(Adapting{.job = job.id,
                             .run = AdaptiveRun({.clocks = *std::move(table),
                                                 .clock = job.decision.frequency,
                                                 .total_steps = job.spec.total_steps,
                                                 .settings = adaptive_settings(job, settings_.adaptive),
                                                 .note = std::move(note)}),
                             .power_mode = board_.power_mode});
}

void Governor::adapt_to_report(Job& job, std::int64_t steps, Instant now) {
  if (!adapting_ || adapting_->job != job.id) {
    if (!hindrance_for(job).empty()) return describe_adapting(job);
    begin_adapting(job, why_there(job));
    if (!adapting_) return;
    describe_adapting(job);
  }
  follow_cap(job, now);
  if (measures(job)) adapting_->run.report(steps, now);
}

void Governor::adapt_to_meter() {
  Job* job = adapting_job();
  if (!job || !measures(*job)) return;
  const auto choice = choose_rails(board_.rails, job->rails_wanted);
  const auto counted = choice ? counted_energy(*meter_, *choice) : std::nullopt;
  if (!counted) return adapting_->run.interrupt();
  switch (adapting_->run.take(*counted)) {
    case AdaptiveRun::News::none:
      return;
    case AdaptiveRun::News::moved:
      return move(*job);
    case AdaptiveRun::News::measured:
      describe_adapting(*job);
      events_.push_back(JobMeasured{job->id, job->decision, adapting_->run.measured()});
      return;
  }
}

void Governor::adapt_to_clock() {
  const Job* job = adapting_job();
  if (job && !measures(*job)) adapting_->run.interrupt();
}

/// Why a job is at its clock of which nothing is measured yet.
std::string Governor::why_there(const Job& job) const {
  if (job.id < taken_over_below_) return "measures anew since the daemon was restarted";
  Decision decision = decide(job.spec, job.policy, clocks());
  start_where_learned(job.spec, decision);
  return decision.reason;
}

/// A cap that stays would hold the job in the middle of a measurement for ever.
void Governor::follow_cap(Job& job, Instant now) {
  const bool capped = clock_.condition == ClockCondition::capped && clock_.applied < job.decision.frequency;
  if (!capped) {
    adapting_->capped_since.reset();
    if (adapting_->run.look_above(now)) move(job);
    return;
  }
  if (!adapting_->capped_since) adapting_->capped_since = now;
  if (now - *adapting_->capped_since < cap_patience) return;
  adapting_->capped_since.reset();
  if (clock_.applied && adapting_->run.hold_below(*clock_.applied, now)) move(job);
}

void Governor::adapt_to_board() {
  adapt_to_company();
  Job* job = adapting_job();
  if (!job || !clocks()) return;
  const auto table = within_cap(*clocks());
  if (table == adapting_->run.clocks() && board_.power_mode == adapting_->power_mode) return;
  const bool other_mode = board_.power_mode != adapting_->power_mode;
  begin_adapting(*job, other_mode ? "measures anew since the board's power mode changed"
                                  : "measures anew since the board's highest clock changed");
  if (!table) adapting_.reset();
  if (adapting_) move(*job);
}

/// A job of the daemon before stays at the clock it found, as far as the board has it.
void Governor::stay_on_board(Job& job) {
  if (!job.decision.frequency || !clocks()) return;
  Decision decision = job.decision;
  map_to_board(decision, *job.decision.frequency, clocks());
  if (decision.frequency == job.decision.frequency) return;
  job.decision = std::move(decision);
  events_.push_back(JobRedecided{job.id, job.decision});
}

void Governor::adapt_to_company() {
  Job* job = adapting_job();
  if (!job) return;
  adapting_->run.interrupt();
  describe_adapting(*job);
}

void Governor::move(Job& job) {
  const std::optional<Hertz> from = std::exchange(job.decision.frequency, adapting_->run.goal());
  if (from == job.decision.frequency) return describe_adapting(job);
  job.decision.clamped_from.reset();
  job.decision.reason = adapting_->run.reason();
  events_.push_back(JobMoved{job.id, job.decision, from, adapting_->run.measured()});
}

/// The reason as it stands now. That another job is in the way, and that it no longer is, is an event.
void Governor::describe_adapting(Job& job) {
  const bool runs = adapting_ && adapting_->job == job.id;
  const std::string hindrance = hindrance_for(job);
  std::string reason = runs ? adapting_->run.reason() : why_there(job);
  if (!hindrance.empty()) reason += "; " + hindrance;
  const bool news = runs ? std::exchange(adapting_->hindrance, hindrance) != hindrance : job.decision.reason != reason;
  job.decision.reason = std::move(reason);
  if (news) events_.push_back(JobRedecided{job.id, job.decision});
}

std::vector<MeasuredClock> Governor::measured(JobId id) const {
  return adapting_ && adapting_->job == id ? adapting_->run.measured() : std::vector<MeasuredClock>{};
}

}  // namespace sweetspot
