// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/retry_schedule.hpp"
#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/power_mode.hpp"

namespace sweetspot {

struct ClockSettings {
  PinStyle pin_style = PinStyle::exact;
  std::optional<std::string> gpu_node;
  Duration check_period = seconds(1);
  std::uint64_t attempts = 5;
  std::uint64_t repins_per_minute = 3;
  bool dry_run = false;  ///< nothing is written; the status says what would be
  friend bool operator==(const ClockSettings&, const ClockSettings&) = default;
};

/// What the keeper knows of the board, for status and decisions.
struct ClockView {
  BoardIdentity identity;
  std::optional<GpuNode> node;
  std::optional<BoardClocks> clocks;
  std::optional<ClockLimits> limits;  ///< as found before any pin of ours
  std::string governor;
  std::optional<PowerMode> power_mode;
  friend bool operator==(const ClockView&, const ClockView&) = default;
};

/// Keeps the GPU clock at the goal: finds the node, pins, checks, tries again, gives up, gives back. It decides *when*
/// to act and puts what came out into words; the writes themselves are GpuClock's. Every call does blocking I/O: it
/// belongs to the clock worker's thread. It reads no clock itself.
class ClockKeeper {
 public:
  ClockKeeper(Attributes& board, SavedClockStore& store, ClockSettings settings);

  /// Gives back what a dead predecessor left pinned. In words, what it gave back; empty when there was nothing to do,
  /// or when it is refused: then the report says so, and act() tries again.
  [[nodiscard]] std::vector<std::string> restore_leftover(Instant now);
  /// Goes on with the pin that a predecessor left in force for `goal`: looks at it and writes only what differs from
  /// what it was left to be. Where somebody gave it back meanwhile, it is pinned anew. In place of restore_leftover().
  void resume(Hertz goal, Instant now);
  /// A new goal; empty: give the clock back. Acts at once.
  void want(std::optional<Hertz> goal, Instant now);
  /// Something about the board may have changed (a uevent, somebody asks): look for the node, read the limits.
  void look(Instant now);
  /// Does what is due.
  void act(Instant now);
  /// When act() is to be called next; empty: not before want() or look().
  [[nodiscard]] std::optional<Instant> due() const { return due_; }
  void reconfigure(ClockSettings settings, Instant now);

  /// The changes of status since the last call, in order: a lost clock that was pinned anew at once is told, too.
  [[nodiscard]] std::vector<ClockStatus> take_reports() { return std::exchange(reports_, {}); }
  /// What else happened, in words (a governor changed, over-current events).
  [[nodiscard]] std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }
  /// Leftovers given back since the last call, after restore_leftover() had been refused.
  [[nodiscard]] std::vector<std::string> take_restored() { return std::exchange(restored_, {}); }
  [[nodiscard]] const ClockView& view() const { return view_; }

 private:
  void find(Instant now);
  void retry_leftover(Instant now);
  void reach_goal(Instant now);
  [[nodiscard]] bool in_force(Hertz goal) const;
  void pin(Instant now);
  void release(Instant now);
  void check(Instant now);
  void judge_pin(const PinReport& pinned, Instant now);
  void judge_check(const CheckReport& seen, Instant now);
  void regain(const CheckReport& seen, Instant now);
  void fail(const Error& error, Instant now);
  void give_up(const Error& error, Instant now);
  void vanish(const Error& error, Instant now);
  void read_view();
  void note_over_current();
  [[nodiscard]] bool is(ClockCondition condition) const { return status_ && status_->condition == condition; }
  void report(ClockCondition condition, std::string detail, std::optional<Hertz> applied = std::nullopt);
  void report_held(ClockCondition condition, std::string detail, Hertz applied, Instant now);

  Attributes& board_;
  SavedClockStore& store_;
  ClockSettings settings_;
  std::optional<GpuClock> clock_;
  std::optional<Hertz> goal_;
  std::optional<Instant> due_;
  RetrySchedule retry_;
  RepinBudget budget_;
  std::optional<Instant> denied_since_;  ///< writes of this node are refused for lack of rights
  bool leftover_ = false;                ///< a predecessor's pin is still to be given back
  std::optional<Instant> held_at_;       ///< the last look that found the clock held
  Duration probe_wait_ = seconds(1);
  std::optional<std::uint64_t> over_current_;
  std::optional<std::string> governor_told_;
  std::optional<Hertz> current_;       ///< cur_freq at the last check
  std::optional<ClockStatus> status_;  ///< as last reported
  ClockView view_;
  std::vector<ClockStatus> reports_;
  std::vector<std::string> notes_;
  std::vector<std::string> restored_;
};

}  // namespace sweetspot
