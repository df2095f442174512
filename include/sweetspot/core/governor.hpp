// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sweetspot/core/adaptive_run.hpp"
#include "sweetspot/core/arbitration.hpp"
#include "sweetspot/core/board_facts.hpp"
#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/energy_meter.hpp"
#include "sweetspot/core/event.hpp"
#include "sweetspot/core/governor_state.hpp"
#include "sweetspot/core/health.hpp"
#include "sweetspot/core/job.hpp"
#include "sweetspot/core/learned_profile.hpp"
#include "sweetspot/core/policy.hpp"

namespace sweetspot {

/// Policy adaptive, for jobs that say nothing else themselves.
struct AdaptiveDefaults {
  Duration window = seconds(1);    ///< the shortest stretch that is measured
  Duration settle = seconds(0.5);  ///< after a change of clock, before measuring
  double max_slowdown = 0;         ///< 0: no limit; else at least 1
  bool energy_delay = false;
  bool learning = true;  ///< jobs start where jobs like them stayed, and what they learn is kept
  friend bool operator==(const AdaptiveDefaults&, const AdaptiveDefaults&) = default;
};

/// How the daemon is configured, as far as the core decides. Values are checked where the configuration is read.
struct GovernorSettings {
  PolicySettings policy;
  Arbitration arbitration = Arbitration::highest;
  RailsWanted rails;                       ///< for jobs that name neither objective nor rails
  std::string setup;                       ///< of ProfileKey: what the core does not know of
  AdaptiveDefaults adaptive;               ///< for measuring that begins from now on
  double minimum_coverage = 0.95;          ///< 0..1; below it a record says energy_valid: false
  std::size_t jobs_per_uid = 64;           ///< running or ending; root's too
  std::size_t jobs_in_all = 1024;          ///< bounds the daemon's memory
  Duration last_sample_wait = seconds(1);  ///< an ending job waits so long for its last sample
  friend bool operator==(const GovernorSettings&, const GovernorSettings&) = default;
};

/// The desired state: which jobs run, which clock they get, what they cost. A pure state machine: shells translate what
/// happens into calls, then reconcile the board with goal(). Every call carries the time; nothing here reads a clock.
/// Not thread-safe: the loop owns it. References it hands out hold until the next call that is not const.
///
/// Invariant: goal() is empty exactly when no running job wishes for a clock.
class Governor {
 public:
  explicit Governor(GovernorSettings settings) : settings_(std::move(settings)) {}

  /// A new policy, objective or choice of rails applies to jobs started from now on, all else to those that run, too.
  void reconfigure(GovernorSettings settings) { settings_ = std::move(settings); }

  /// The running jobs and all that belongs to them, for a governor that goes on with them. What is ending is not in it.
  [[nodiscard]] GovernorState state() const;
  /// Goes on from a state without a contradiction_in(). Before any job, and once. The time until the first report of
  /// the clock counts for the clock in force if that report says so; until the first sample it is a gap.
  void take_over(GovernorState state, Duration longest_step, Instant now);

  /// `now` and `wall_time` are the same moment on two clocks; the owner is who the kernel says it is.
  struct StartRequest {
    JobSpec spec;
    Owner owner;
    Instant now;
    std::chrono::system_clock::time_point wall_time;
  };
  struct TooManyJobs {
    std::size_t limit;
    std::string whose;  ///< "uid 1000" or "the daemon"
  };
  /// Whether one more job of this user would be too many; cheap, to be asked before anything is looked up for it.
  [[nodiscard]] std::optional<TooManyJobs> over_quota(std::uint32_t uid) const;
  using StartRefusal = std::variant<SpecProblem, TooManyJobs>;
  /// Starts a job and decides its clock. Ids ascend and are never given twice. Refusals change nothing.
  [[nodiscard]] tl::expected<JobId, StartRefusal> start(StartRequest request);

  enum class Refusal { no_such_job, not_your_job };
  /// `steps` is the total since the job's start; a number below an earlier one (or below 0) is ignored. Renews the
  /// lease.
  [[nodiscard]] std::optional<Refusal> progress(JobId id, std::int64_t steps, std::uint32_t uid, Instant now);
  /// The owner's wish to end the job. The record comes as a JobEnded event, once the last sample is there.
  [[nodiscard]] std::optional<Refusal> end(JobId id, std::uint32_t uid, Instant now);
  /// The job's connection or process is gone, its lease over, the daemon stopping. Unknown ids are ignored.
  void lose(JobId id, EndedBy why, Instant now);
  /// The daemon stops: all running jobs end, and wait for their last sample.
  void interrupt(Instant now);
  /// The same, without waiting for a last sample.
  void interrupt_all(Instant now);

  /// The board changed: clocks, rails, power mode. Running jobs are mapped anew. After a change of the rails the meters
  /// observed must be of the new ones.
  void observe_board(BoardFacts facts, Instant now);
  /// What the clock worker reports: makes the events and troubles of the clock, and counts the time each clock is held.
  void observe_clock(ClockStatus status, Instant now);
  /// A new state of the sampler's meter: gives waiting jobs their first or last reading, drives the second stage. One
  /// that counts fewer samples than before is a new meter (the sampler began again).
  void observe_meter(const EnergyMeter& meter, Instant now);
  /// Rails that cannot be read at the moment (labels), or none.
  void observe_sensor_trouble(std::optional<std::string> detail, Instant now);
  /// Troubles that others see; each beginning, change of words and end is an event.
  void raise(HealthReason reason, std::string detail, Instant now);
  void clear(HealthReason reason);

  /// Lets time pass: leases, last samples that do not come, load windows. Call it at next_deadline().
  void tick(Instant now);
  /// When to call tick() next; empty: never, as things stand. After tick(now) always later than `now`.
  [[nodiscard]] std::optional<Instant> next_deadline() const;

  /// The clock to pin: the running jobs' wishes under the arbitration rule. Empty: release. While the GPU node is
  /// missing it is not mapped to a table.
  [[nodiscard]] std::optional<Hertz> goal() const;
  /// A job runs or waits for its last sample, so the sampler must run.
  [[nodiscard]] bool needs_samples() const { return !jobs_.empty(); }
  [[nodiscard]] bool has_running_jobs() const { return running_jobs() > 0; }
  /// A job waits for its first or last reading, or a load window begins or ends: sample now rather than at the next
  /// period.
  [[nodiscard]] bool wants_sample_at(Instant now) const;

  /// The decision that start() would make now, without any effect. Expects a spec without a problem_in().
  [[nodiscard]] Decision explain(const JobSpec& spec) const;
  /// What policy adaptive has measured of a job: nothing before its first report, for other policies, or while it never
  /// was alone.
  [[nodiscard]] std::vector<MeasuredClock> measured(JobId id) const;
  /// What a job has cost so far (or in all, once it is ending).
  [[nodiscard]] EnergyRecord record_so_far(const Job& job, Instant now) const;
  [[nodiscard]] const std::map<JobId, Job>& jobs() const { return jobs_; }
  [[nodiscard]] const ClockStatus& clock() const { return clock_; }
  [[nodiscard]] const BoardFacts& board() const { return board_; }
  [[nodiscard]] const Health& health() const { return health_; }
  [[nodiscard]] const GovernorSettings& settings() const { return settings_; }
  /// What was learned before, instead of what is known now. For jobs started from now on.
  void know(ProfileBook profiles) { profiles_ = std::move(profiles); }
  /// Profiles that jobs made or changed since the last call.
  [[nodiscard]] std::vector<LearnedProfile> take_lessons();
  /// What happened since the last call, in order.
  [[nodiscard]] std::vector<Event> take_events();

 private:
  [[nodiscard]] const BoardClocks* clocks() const { return board_.clocks ? &*board_.clocks : nullptr; }
  [[nodiscard]] std::optional<Refusal> refusal_for(JobId id, std::uint32_t uid) const;
  void begin_ending(Job& job, EndedBy why, Instant now);
  void finish(JobId id, Instant now);
  void finish_those_done(Instant now);
  /// Readings of two meters cannot be subtracted: what was measured so far becomes a gap in the running jobs' records.
  void start_new_meter(Instant now);
  void attribute_shares();
  void give_first_readings();
  void account_clock(Instant now);
  void report_clock_change(const ClockStatus& before);
  void judge_clock_health(Instant now);
  [[nodiscard]] Decision decision_for(const JobSpec& spec, const PolicySettings& policy,
                                      const LoadWindow& window) const;
  void redecide(Job& job);
  void advance_load_window(Job& job, Instant now);
  void meet_companions(Job& newcomer);
  struct Adapting {
    JobId job;
    AdaptiveRun run;
    std::optional<std::string> power_mode;  ///< in which it measured
    std::optional<Instant> capped_since;
    std::string hindrance;  ///< why it does not measure, as last said
  };
  void adapt_to_report(Job& job, std::int64_t steps, Instant now);
  void adapt_to_meter();
  void adapt_to_clock();
  void adapt_to_board();
  void adapt_to_company();
  void stay_on_board(Job& job);
  void begin_adapting(const Job& job, std::string note);
  [[nodiscard]] std::optional<ProfileKey> profile_key(const JobSpec& spec) const;
  void start_where_learned(const JobSpec& spec, Decision& decision) const;
  void learn_from(const Job& job);
  void follow_cap(Job& job, Instant now);
  void move(Job& job);
  void describe_adapting(Job& job);
  [[nodiscard]] std::string why_there(const Job& job) const;
  [[nodiscard]] bool measures(const Job& job) const;
  [[nodiscard]] std::string hindrance_for(const Job& job) const;
  [[nodiscard]] Job* adapting_job();
  [[nodiscard]] std::size_t running_jobs() const;

  GovernorSettings settings_;
  BoardFacts board_;
  ClockStatus clock_;
  Health health_;
  std::map<JobId, Job> jobs_;
  std::optional<Adapting> adapting_;  ///< the job that reported while it was alone: never more than one
  ProfileBook profiles_;
  std::vector<LearnedProfile> lessons_;
  JobId next_id_ = 1;
  JobId taken_over_below_ = 0;                ///< older jobs are of the daemon before
  std::optional<EnergyMeter> meter_;          ///< as last observed
  std::optional<MeterReading> shared_up_to_;  ///< energy is attributed to the jobs up to here
  Instant clock_accounted_at_{};
  std::vector<Event> events_;
};

}  // namespace sweetspot
