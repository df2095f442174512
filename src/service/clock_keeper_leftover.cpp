// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "service/clock_keeper.hpp"
#include "service/joined.hpp"

// What the keeper makes of a pin that an earlier process left: given back after a death, gone on with after a
// hand-over.
namespace sweetspot {

std::vector<std::string> ClockKeeper::restore_leftover(Instant now) {
  if (settings_.dry_run) return {};
  const auto restored = restore_saved_clock(board_, store_);
  leftover_ = !restored || (!restored->complete && !restored->node_gone);
  if (!leftover_) return restored->found ? restored->notes : std::vector<std::string>{};
  due_ = now + settings_.check_period;
  report(ClockCondition::failing, "a pin left by a dead daemon is still to be given back: " +
                                      (restored ? joined(restored->notes, "; ") : restored.error().message));
  return {};
}

/// A leftover that could not be given back at the start is tried again until it is, or until a pin of ours takes it
/// over.
void ClockKeeper::retry_leftover(Instant now) {
  const auto notes = restore_leftover(now);
  restored_.insert(restored_.end(), notes.begin(), notes.end());
  if (!leftover_) reach_goal(now);
}

void ClockKeeper::resume(Hertz goal, Instant now) {
  goal_ = goal;
  // Nobody looked since the hand-over: only a first look that finds the clock held vouches for that time.
  held_at_ = Instant{};
  find(now);
  if (!clock_) return;  // what is saved waits for the node, and so does the goal
  if (settings_.dry_run) return reach_goal(now);
  const auto resumed = clock_->resume(now);
  if (!resumed) return fail(resumed.error(), now);
  if (!*resumed) {
    notes_.emplace_back("no pin of the daemon before is in force any more; pinning anew");
    report(ClockCondition::pending, "pinning anew after a restart");
    return reach_goal(now);
  }
  read_view();  // the limits to restore, not the pin that hides them
  if (in_force(goal)) return check(now);
  pin(now);
}

/// The limits written last are those that a pin to `goal` would write now.
bool ClockKeeper::in_force(Hertz goal) const {
  const SavedClock& saved = *clock_->saved();
  const auto target = view_.node->table.highest_within(std::min(view_.node->table.nearest(goal), saved.found.max));
  return !saved.next_target && saved.last_target == target && saved.style == settings_.pin_style;
}

}  // namespace sweetspot
