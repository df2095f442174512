// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/adaptive_policy.hpp"
#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/measured_clock.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The counted rails' sum, as a meter shows it. Only differences of two from one meter mean anything.
struct CountedEnergy {
  Instant at;           ///< of the meter's last sample
  Joules energy;        ///< of all counted rails
  Duration covered{0};  ///< how much of the time was measured, summed over those rails
  std::int64_t rails = 0;
  Watts power;  ///< at the last sample
};

/// Policy `adaptive` for one job of the daemon: brings the job's reports and the meter's readings together, gives them
/// to an AdaptivePolicy, and keeps to the clocks that the board reaches.
///
/// A report's energy is the meter's first reading after it, less what was drawn since. What was measured with a gap, at
/// another clock or beside another job does not count. While a thermal cap holds the GPU below the goal, a second
/// policy looks for the best of the clocks that are left; from time to time the first one gets its goal again.
///
/// Pure, and not for several threads. Some hundred kilobytes for a table of sixty clocks.
class AdaptiveRun {
 public:
  struct Start {
    FrequencyTable clocks;       ///< those within the board's cap
    std::optional<Hertz> clock;  ///< where the job is; empty: not pinned
    std::optional<std::int64_t> total_steps;
    AdaptiveSettings settings;
    std::string note;  ///< comes before the policy's own words: why it starts there
  };
  /// Costs some milliseconds.
  explicit AdaptiveRun(Start start);

  /// What the job said. Before the next reading only the last report counts.
  void report(std::int64_t steps, Instant at);
  /// A report waits for a reading, and the last one that was taken is long enough ago.
  [[nodiscard]] bool wants_reading() const { return waiting_.has_value(); }

  enum class News { none, measured, moved };
  /// A reading of the meter, at the goal and beside no other job. `moved`: the goal is another one now.
  News take(const CountedEnergy& now);
  /// What is being measured does not count, nor does a report that waits.
  void interrupt();

  /// The board holds the GPU at `highest`, below the goal: from now on only the clocks up to there. True when the goal
  /// is another one now.
  bool hold_below(Hertz highest, Instant now);
  /// Whether it is time to see whether the cap has gone; if so, the first policy has its goal again. True when the goal
  /// is another one now.
  bool look_above(Instant now);

  [[nodiscard]] std::optional<Hertz> goal() const { return policy().goal(); }
  /// A cap is in the way of the clock it would choose.
  [[nodiscard]] bool is_held_below() const { return held_; }
  [[nodiscard]] std::string reason() const;
  /// The clocks that were measured, ascending, the one that is not pinned last.
  [[nodiscard]] std::vector<MeasuredClock> measured() const;
  /// Of the clocks measured the one that is believed to cost least; under a limit on time, the one most steps were done
  /// at. Empty: nothing was measured.
  [[nodiscard]] std::optional<MeasuredClock> found() const;
  [[nodiscard]] const FrequencyTable& clocks() const { return start_.clocks; }

 private:
  struct Below {
    Hertz highest;
    AdaptivePolicy policy;
  };
  /// What was done at one clock, settling and gaps left out.
  struct Tally {
    double joules = 0;
    double seconds = 0;
    double steps = 0;
  };
  struct Report {
    std::int64_t steps;
    Instant at;
  };
  [[nodiscard]] const AdaptivePolicy& policy() const { return held_ ? below_->policy : policy_; }
  [[nodiscard]] AdaptivePolicy& policy() { return held_ ? below_->policy : policy_; }
  [[nodiscard]] bool has_gap_since_last(const CountedEnergy& now) const;
  [[nodiscard]] double steps_measured() const;
  /// The steps of a report without what no job can have done: a step number set forward or back, as when the script
  /// counts on from a checkpoint in the middle of the job. Such a jump ends what was being measured.
  [[nodiscard]] std::int64_t steps_done(const Report& report);
  void tally(const MeteredProgress& progress);

  Start start_;
  AdaptivePolicy policy_;
  std::optional<Below> below_;  ///< of the last cap, which may come back
  bool held_ = false;           ///< below_ has the goal
  Instant look_again_{};        ///< whether the cap still is there
  Duration cap_wait_;           ///< the next cap is believed in so long
  std::map<std::optional<Hertz>, Tally> tallies_;
  std::optional<MeteredProgress> tallied_up_to_;
  std::int64_t steps_seen_ = -1;  ///< in the newest report that added any
  std::optional<Instant> moved_;
  std::optional<Report> waiting_;
  std::optional<Report> told_;         ///< the last report that was taken, in its own numbers
  std::int64_t skipped_ = 0;           ///< what the jumps come to
  std::optional<Instant> taken_;       ///< the last report that was given to the policy
  std::optional<CountedEnergy> last_;  ///< empty: what comes is not measured against what was
};

}  // namespace sweetspot
