// SPDX-License-Identifier: Apache-2.0
#include "service/clock_keeper.hpp"

#include <algorithm>
#include <cerrno>

#include "service/joined.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/oc_events.hpp"

namespace sweetspot {
namespace {

/// Four governor polls of 25 ms: before that cur_freq may still show the way to the clock.
constexpr Duration settle = std::chrono::milliseconds(120);
constexpr Duration longest_probe_wait = seconds(10);
/// A node that has just appeared is ours to write once udev's rule has run, which takes milliseconds, or seconds at
/// boot.
constexpr Duration rights_patience = seconds(5);
constexpr Duration rights_probe = std::chrono::milliseconds(200);

bool device_is_gone(const Error& error) {
  return error.code == ENODEV || error.code == ENOENT || error.code == ENXIO;
}

bool is_denied(const Error& error) {
  return error.code == EACCES || error.code == EPERM;
}

/// What to do about a refused write, where that is known.
std::string with_remedy(const Error& error) {
  if (is_denied(error)) return error.message + " (as root: sweetspotd --grant-access sweetspot)";
  if (error.code == EROFS) return error.message + " (/sys has to be mounted writable for the daemon)";
  return error.message;
}

std::string range_text(const ClockLimits& limits) {
  return to_text(limits.min) + " to " + to_text(limits.max);
}

}  // namespace

ClockKeeper::ClockKeeper(Attributes& board, SavedClockStore& store, ClockSettings settings)
    : board_(board),
      store_(store),
      settings_(std::move(settings)),
      retry_(settings_.attempts),
      budget_(settings_.repins_per_minute) {}

void ClockKeeper::report(ClockCondition condition, std::string detail, std::optional<Hertz> applied) {
  ClockStatus status{
      .condition = condition, .goal = goal_, .applied = applied, .current = current_, .detail = std::move(detail)};
  if (!applied) status.held_until = held_at_;
  if (status == status_) return;
  status_ = status;
  reports_.push_back(std::move(status));
}

void ClockKeeper::report_held(ClockCondition condition, std::string detail, Hertz applied, Instant now) {
  held_at_ = now;
  report(condition, std::move(detail), applied);
}

void ClockKeeper::find(Instant now) {
  view_.identity = identify_board(board_);
  auto node = find_gpu(board_, view_.identity, settings_.gpu_node);
  if (!node) {
    clock_.reset();
    view_.node.reset();
    view_.clocks.reset();
    view_.limits.reset();
    report(ClockCondition::no_gpu, node.error().message);
    due_ = now + probe_wait_;
    probe_wait_ = std::min(probe_wait_ * 2, longest_probe_wait);
    return;
  }
  probe_wait_ = seconds(1);
  view_.node = *node;
  denied_since_.reset();
  clock_.emplace(board_, *std::move(node), store_);
  read_view();
}

void ClockKeeper::read_view() {
  const auto& saved = clock_->saved();
  // A pin has just read the id; the names are in a long file, read anew only for another mode.
  const auto mode = saved ? saved->power_mode : read_power_mode_id(board_);
  if (!mode) {
    view_.power_mode.reset();
  } else if (!view_.power_mode || view_.power_mode->id != *mode) {
    view_.power_mode = read_power_mode(board_, *mode);
  }
  if (const auto governor = clock_->read_governor()) view_.governor = *governor;
  if (saved) {
    view_.limits = saved->found;
  } else if (!view_.node->limits_may_hang || !view_.limits) {
    const auto limits = clock_->read_limits();
    if (limits) view_.limits = *limits;
  }
  if (view_.limits) view_.clocks = BoardClocks{view_.node->table, view_.limits->max};
}

void ClockKeeper::want(std::optional<Hertz> goal, Instant now) {
  goal_ = goal;
  held_at_.reset();  // what changes now, changes by our own hand
  status_.reset();   // whoever asks gets an answer, even if nothing changes
  retry_.succeeded();
  if (!clock_) find(now);
  if (clock_) reach_goal(now);
}

void ClockKeeper::reach_goal(Instant now) {
  due_.reset();
  if (!goal_) return release(now);
  if (settings_.dry_run) return report(ClockCondition::released, "dry run: would pin " + to_text(*goal_));
  pin(now);
}

void ClockKeeper::look(Instant now) {
  if (!clock_) {
    find(now);
    if (clock_) reach_goal(now);
    return;
  }
  if (clock_->saved()) return act(now);
  if (view_.node->limits_may_hang && view_.limits) return read_view();
  const auto limits = clock_->read_limits();
  if (limits) return read_view();
  if (device_is_gone(limits.error())) vanish(limits.error(), now);
}

void ClockKeeper::act(Instant now) {
  if (!clock_) return look(now);
  if (leftover_ && !goal_) return retry_leftover(now);
  if (!goal_ || !clock_->saved() || is(ClockCondition::failing) || denied_since_) return reach_goal(now);
  check(now);
}

void ClockKeeper::pin(Instant now) {
  // A goal from before the node was there is not of this board's table yet.
  const auto pinned = clock_->pin(view_.node->table.nearest(*goal_), settings_.pin_style, now);
  if (!pinned) return fail(pinned.error(), now);
  retry_.succeeded();
  denied_since_.reset();
  leftover_ = false;
  read_view();
  judge_pin(*pinned, now);
}

void ClockKeeper::judge_pin(const PinReport& pinned, Instant now) {
  due_ = now + settle;
  switch (pinned.state) {
    case PinState::pinned:
      return report_held(ClockCondition::pinned, "pinned to " + to_text(pinned.target), pinned.target, now);
    case PinState::capped:
      return report_held(
          ClockCondition::capped,
          "the kernel caps the clock at " + to_text(pinned.read.max) + ", below the pin of " + to_text(pinned.target),
          pinned.read.max, now);
    case PinState::differs:
      return report(ClockCondition::lost, "wrote " + to_text(pinned.target) + ", but the limits read " +
                                              range_text(pinned.read) + ": another program writes them");
    case PinState::waiting_for_cooling:
      due_ = now + settings_.check_period;
      return report(ClockCondition::waiting,
                    "not pinned yet: a cooling device is active and hides the limits that would have to be restored");
    case PinState::look_again:
      return report(ClockCondition::pending, "another program may be half-way through a change; looking again");
  }
}

void ClockKeeper::check(Instant now) {
  const auto seen = clock_->check(now);
  if (!seen) return fail(seen.error(), now);
  retry_.succeeded();
  current_ = seen->current;
  note_over_current();
  if (seen->adopted) read_view();
  if (seen->governor_was && seen->governor_was != governor_told_) {
    read_view();
    notes_.push_back("the devfreq governor is now " + view_.governor + "; it was " + *seen->governor_was);
  }
  governor_told_ = seen->governor_was;
  judge_check(*seen, now);
}

void ClockKeeper::judge_check(const CheckReport& seen, Instant now) {
  const Hertz target = seen.target.value_or(*goal_);
  due_ = now + settings_.check_period;
  switch (seen.verdict) {
    case ClockVerdict::held:
      return report_held(ClockCondition::pinned, "pinned to " + to_text(target), target, now);
    case ClockVerdict::capped:
      return report_held(ClockCondition::capped,
                         "thermal: " + joined(seen.cooling, ", ") + " caps the clock at " + to_text(seen.read.max) +
                             ", below the pin of " + to_text(target),
                         seen.read.max, now);
    case ClockVerdict::not_obeyed:
      return report(ClockCondition::not_obeyed, "the limits read " + range_text(seen.read) + ", but the GPU runs at " +
                                                    (seen.current ? to_text(*seen.current) : "another clock"));
    case ClockVerdict::mode_changed:
    case ClockVerdict::rival:
      return regain(seen, now);
    case ClockVerdict::look_again:
      due_ = now + settle;
      return;
    case ClockVerdict::waiting_for_cooling:
      return report(ClockCondition::waiting, "the limits read " + range_text(seen.read) + " while " +
                                                 joined(seen.cooling, ", ") +
                                                 " is active; nothing is written until it rests");
  }
}

void ClockKeeper::regain(const CheckReport& seen, Instant now) {
  const bool mode = seen.verdict == ClockVerdict::mode_changed;
  std::string what = mode ? "the power mode was changed" + (view_.power_mode ? " to " + to_text(*view_.power_mode) : "")
                          : "another program changed the limits";
  what += ": they read " + range_text(seen.read);
  const auto wait = budget_.wait_until(now);
  if (wait) what += "; changed too often to be pinned again now";
  report(ClockCondition::lost, std::move(what));
  if (wait) {
    due_ = std::min(*wait, now + settings_.check_period * 10);
    return;
  }
  pin(now);
}

void ClockKeeper::fail(const Error& error, Instant now) {
  if (device_is_gone(error)) return vanish(error, now);
  if (is_denied(error) && now - denied_since_.value_or(now) < rights_patience) {
    denied_since_ = denied_since_.value_or(now);
    due_ = now + rights_probe;
    return report(ClockCondition::pending, "not ready: " + error.message + "; waiting for udev to hand the file over");
  }
  const auto next = retry_.failed(now);
  if (!next) return give_up(error, now);
  due_ = *next;
  report(ClockCondition::failing, with_remedy(error) + "; trying again");
}

void ClockKeeper::give_up(const Error& error, Instant now) {
  const auto released = clock_->release();
  due_.reset();
  std::string detail = with_remedy(error) + "; gave up after " + std::to_string(retry_.failures()) + " attempts";
  if (!released) {
    detail += " and could not release the clock either: " + released.error().message;
    due_ = now + longest_probe_wait;
  }
  report(ClockCondition::gave_up, std::move(detail));
}

void ClockKeeper::vanish(const Error& error, Instant now) {
  clock_.reset();
  view_.node.reset();
  view_.clocks.reset();
  view_.limits.reset();
  report(ClockCondition::no_gpu, "the GPU node went away (" + error.message + ")");
  probe_wait_ = seconds(1);
  due_ = now + probe_wait_;
}

void ClockKeeper::release(Instant now) {
  current_.reset();
  const bool was_pinned = clock_->saved().has_value();
  const auto released = clock_->release();
  if (!released) {
    if (device_is_gone(released.error())) return vanish(released.error(), now);
    due_ = retry_.failed(now).value_or(now + longest_probe_wait);
    return report(ClockCondition::failing, released.error().message + "; trying again to release the clock");
  }
  retry_.succeeded();
  if (was_pinned) read_view();
  const std::string notes = joined(released->notes, "; ");
  if (released->node_gone) return vanish({notes, ENODEV}, now);
  if (!released->complete) {
    due_ = now + settings_.check_period;
    return report(ClockCondition::waiting, notes);
  }
  if (leftover_) {
    due_ = now + settings_.check_period;
    return;
  }
  report(ClockCondition::released, notes.empty() ? "the limits are as found" : notes);
}

void ClockKeeper::note_over_current() {
  const auto events = over_current_events(board_);
  if (events && over_current_ && *events > *over_current_)
    notes_.push_back("over-current: the hardware cut clocks " + std::to_string(*events - *over_current_) + " time(s)");
  over_current_ = events;
}

void ClockKeeper::reconfigure(ClockSettings settings, Instant now) {
  if (settings == settings_) return;
  const bool another_node = settings.gpu_node != settings_.gpu_node;
  settings_ = std::move(settings);
  if (another_node) {
    if (clock_) release(now);
    find(now);
  }
  retry_ = RetrySchedule(settings_.attempts);
  budget_ = RepinBudget(settings_.repins_per_minute);
  if (goal_) want(goal_, now);
}

}  // namespace sweetspot
