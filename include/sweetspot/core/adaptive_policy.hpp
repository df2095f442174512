// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/curve_belief.hpp"
#include "sweetspot/core/curve_prior.hpp"
#include "sweetspot/core/drift_watch.hpp"
#include "sweetspot/core/job_aim.hpp"
#include "sweetspot/core/look_ahead.hpp"
#include "sweetspot/core/step_noise.hpp"
#include "sweetspot/core/step_times.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// A job's progress and what the counted rails' meter shows at that moment.
struct MeteredProgress {
  Instant at;
  std::int64_t steps = 0;
  Joules energy;
};

struct AdaptiveSettings {
  std::int64_t window_steps = 5;  ///< the fewest steps that are measured at a stretch
  Duration window = seconds(1);   ///< and the shortest time: some ten readings of the rails
  /// After a change of clock, before measuring. The clock follows in 30 ms, what is read of it in 100, the rails at the
  /// next reading; a second time all that, for boards that are slower.
  Duration settle = seconds(0.5);
  double budget = 0.008;  ///< share of the job that may be lost against the clock it started at
  JobAim aim;             ///< the prior must be of the same `least`
};

/// What a job did at one arm, since its cost last changed.
struct ArmUse {
  std::optional<Hertz> clock;  ///< empty: not pinned
  std::int64_t steps = 0;      ///< all of them, settling included
  double measured_steps = 0;
  double log_sum = 0;  ///< logarithms of joules per step, each times its steps
};

/// Finds the clock at which one job costs least, while the job runs.
///
/// It starts at a given clock, measures joules per step over a window, and then asks before every window: which arm,
/// over the work that remains, is expected to save most, what is learned there included and what the window costs there
/// deducted? That is one step of look-ahead, on the belief of CurveBelief. What may be lost against the clock it
/// started at is bounded by a budget, so a short job is never probed. When the joules at a clock change it believes
/// its curve less and looks again.
///
/// Pure: readings in, goal and reason out. One decision takes some microseconds. Not for several threads.
class AdaptivePolicy {
 public:
  /// Without `total_steps` as much work is taken to remain as is done.
  AdaptivePolicy(const CurvePrior& prior, std::optional<std::int64_t> total_steps,
                 const AdaptiveSettings& settings = {});

  /// The clock the job should run at now; empty: not pinned.
  [[nodiscard]] std::optional<Hertz> goal() const { return arms_.clock(arm_); }

  /// Takes up a reading; true when the goal is another one now. Readings must not go backwards; those that do, or add
  /// no step, are left out.
  bool observe(const MeteredProgress& reading);
  /// What is being measured does not count: the meter has a gap, or the clock was not the goal.
  void interrupt() { opening_.reset(); }

  /// What of the job's aim cannot be met, and the best that can; empty when all can, as far as is known.
  [[nodiscard]] std::optional<std::string> shortfall() const { return times_.shortfall(); }

  /// In words and numbers: clocks tried, what was expected, why it stays.
  [[nodiscard]] std::string reason() const;
  [[nodiscard]] const std::vector<ArmUse>& uses() const { return uses_; }
  [[nodiscard]] const CurveBelief& belief() const { return belief_; }
  /// How often the job's cost changed so much that its curve was looked for again.
  [[nodiscard]] int drifts() const { return drifts_; }

 private:
  struct Candidate {
    std::size_t arm = 0;
    double steps = 0;
    double net = 0;
  };
  void open_window(const MeteredProgress& reading);
  void take_part(const MeteredProgress& reading);
  void close_window(const MeteredProgress& reading);
  void start_anew();
  [[nodiscard]] double log_of_step(const MeteredProgress& from, const MeteredProgress& to) const;
  [[nodiscard]] double remaining() const;

  [[nodiscard]] Candidate next();
  void find_choices();
  void consider(std::size_t arm, double window, double lost, Candidate& best);
  [[nodiscard]] bool worth_a_thought(std::size_t arm) const;
  [[nodiscard]] bool start_is_doubtful() const;
  [[nodiscard]] double feared(std::size_t arm) const;
  [[nodiscard]] double lost_so_far() const;
  [[nodiscard]] bool within_budget(std::size_t arm, double window, double lost) const;

  Arms arms_;
  AdaptiveSettings settings_;
  std::optional<std::int64_t> total_steps_;
  CurveBelief belief_;
  StepTimes times_;
  LookAhead look_ahead_;
  std::vector<std::size_t> choices_;  ///< arms that keep the aim's limits
  StepNoise noise_;
  DriftWatch drift_;
  std::vector<ArmUse> uses_;
  std::size_t start_;
  std::size_t arm_;
  double window_;                           ///< steps to measure now
  double seconds_per_step_ = 0;             ///< as last measured
  std::optional<MeteredProgress> last_;     ///< the newest reading
  std::optional<Instant> changed_;          ///< when the goal changed, while settling
  std::optional<MeteredProgress> opening_;  ///< of the running window
  std::optional<MeteredProgress> part_;     ///< of that window, where it began
  std::int64_t steps_before_ = 0;           ///< of the job as it was before it changed
  int drifts_ = 0;
  std::size_t decisions_ = 0;
};

}  // namespace sweetspot
