// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/gpu_clock.hpp"

#include <algorithm>
#include <cerrno>

#include "platform/clock_restore.hpp"
#include "platform/limit_files.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/power_mode.hpp"

namespace sweetspot {
namespace {

using namespace std::chrono_literals;

/// Four polls of nvgpu's governor (25 ms): the time a clock, or another writer's second write, needs to arrive.
constexpr Duration settling_time = 100ms;
/// nvpmodel writes the GPU's limits, the cores' and the memory's, and its status file last: what belongs to one change
/// of mode is seen within this time.
constexpr Duration mode_change_time = 10s;

bool within(const std::optional<Instant>& event, Instant now, Duration time) {
  return event && now - *event < time;
}

}  // namespace

std::string_view to_text(PinState state) {
  switch (state) {
    case PinState::pinned:
      return "pinned";
    case PinState::capped:
      return "capped";
    case PinState::differs:
      return "differs";
    case PinState::waiting_for_cooling:
      return "waiting for cooling";
    case PinState::look_again:
      return "being changed";
  }
  return "?";
}

GpuClock::GpuClock(Attributes& board, GpuNode node, SavedClockStore& store)
    : board_(board), node_(std::move(node)), store_(store), cooling_(CoolingDevices::find(board)) {}

Result<ClockLimits> GpuClock::read_limits() const {
  return read_clock_limits(board_, node_.devfreq_dir, node_.table);
}
Result<std::string> GpuClock::read_governor() const {
  return board_.read(node_.devfreq_dir + "/governor");
}
Result<Hertz> GpuClock::read_current() const {
  return read_clock(board_, node_.devfreq_dir + "/cur_freq");
}

Result<PinReport> GpuClock::pin(Hertz target, PinStyle style, Instant now) {
  if (!node_.table.contains(target)) return failure(to_text(target) + " is not in the table of " + node_.name, EINVAL);
  if (!saved_) {
    auto refused = save_found(target, now);
    if (!refused) return tl::unexpected(refused.error());
    if (*refused) return **refused;
  }
  return write_pin(target, style, now);
}

/// Notes what is to be restored, after giving back what a dead predecessor left. A report means: not now.
Result<std::optional<PinReport>> GpuClock::save_found(Hertz asked, Instant now) {
  cooling_ = CoolingDevices::find(board_);
  const auto left = restore_saved_clock(board_, store_);
  if (!left) return tl::unexpected(left.error());
  auto seen = see_clock_limits(board_, node_.devfreq_dir, node_.table, cooling_);
  if (!seen) return tl::unexpected(seen.error());
  const bool undecided = !left->complete && !left->node_gone;
  if (!seen->cooling.empty() || undecided) {
    return PinReport{.asked = asked, .target = asked, .read = seen->limits, .state = PinState::waiting_for_cooling};
  }
  auto governor = read_governor();
  if (!governor) return tl::unexpected(governor.error());
  saved_ = SavedClock{.boot_id = store_.boot_id(),
                      .node = node_.devfreq_dir,
                      .found = seen->limits,
                      .power_mode = read_power_mode_id(board_),
                      .governor = std::move(*governor)};
  looked_at_ = written_at_ = now;
  return std::nullopt;
}

Result<PinReport> GpuClock::write_pin(Hertz asked, PinStyle style, Instant now) {
  PinReport report{.asked = asked, .target = asked};
  std::optional<Order> refused;
  for (;;) {
    const auto absorbed = absorb(now);
    if (!absorbed) return tl::unexpected(absorbed.error());
    report.read = absorbed->look.limits;
    report.adopted = report.adopted || absorbed->adopted;
    if (const auto state = not_now(absorbed->verdict)) {
      report.state = *state;
      return report;
    }
    const auto target = prepare(asked, style);
    if (!target) return tl::unexpected(target.error());
    report.target = *target;
    const Order by_direction = *target > report.read.max ? Order::max_first : Order::min_first;
    const Order other = by_direction == Order::max_first ? Order::min_first : Order::max_first;
    const Order order = refused == by_direction ? other : by_direction;
    const ClockLimits limits = limits_for(style, *target, saved_->found);
    auto written = write_limits(limits, report.read, order);
    if (written) return verify(report, limits, now);
    // Kernel 4.9 refuses min > max: somebody wrote between our look and our write. Once more, after another look.
    if (written.error().code != EINVAL || refused) return tl::unexpected(written.error());
    refused = order;
  }
}

std::optional<PinState> GpuClock::not_now(ClockVerdict verdict) {
  switch (verdict) {
    case ClockVerdict::waiting_for_cooling:
      return PinState::waiting_for_cooling;
    case ClockVerdict::look_again:
      return PinState::look_again;
    case ClockVerdict::held:
    case ClockVerdict::capped:
    case ClockVerdict::not_obeyed:
    case ClockVerdict::mode_changed:
    case ClockVerdict::rival:
      break;
  }
  return std::nullopt;
}

/// Clips to the found cap and puts the new target on disk, before any write it would have to undo.
Result<Hertz> GpuClock::prepare(Hertz asked, PinStyle style) {
  const auto target = node_.table.highest_within(std::min(asked, saved_->found.max));
  if (!target) {
    return failure("the cap " + to_text(saved_->found.max) + " is below every clock of " + node_.name, ERANGE);
  }
  const bool first = !saved_->last_target && !saved_->next_target;
  SavedClock next = *saved_;
  next.next_target = *target;
  next.style = style;
  if (auto saved = store_.save(next); !saved) {
    if (first) saved_.reset();
    return tl::unexpected(saved.error());
  }
  saved_ = std::move(next);
  return *target;
}

Result<void> GpuClock::write_limits(ClockLimits limits, ClockLimits read, Order order) {
  // A cap leaves min alone, unless it has to come down with it or comes from an exact pin.
  const bool min_stays = saved_->style == PinStyle::cap && limits.min == read.min && read.min < read.max;
  const auto write_min = [&]() -> Result<void> {
    return min_stays ? Result<void>() : write_clock_limit(board_, node_.devfreq_dir, "min_freq", limits.min);
  };
  const auto write_max = [&] { return write_clock_limit(board_, node_.devfreq_dir, "max_freq", limits.max); };
  switch (order) {
    case Order::min_first:
      return write_min().and_then(write_max);
    case Order::max_first:
      return write_max().and_then(write_min);
  }
  return {};
}

Result<PinReport> GpuClock::verify(PinReport report, ClockLimits written, Instant now) {
  written_at_ = now;
  foreign_.reset();
  forget_writes();
  const auto seen = see_clock_limits(board_, node_.devfreq_dir, node_.table, cooling_);
  if (!seen) return tl::unexpected(seen.error());
  report.read = seen->limits;
  const bool lower = seen->limits.max < written.max && seen->limits.min == std::min(written.min, seen->limits.max);
  report.state = seen->limits == written ? PinState::pinned : lower ? PinState::capped : PinState::differs;
  // Read back lower within the same instant: the kernel caps, even where no cooling device shows it.
  unexplained_cap_ = lower && seen->cooling.empty() ? std::optional(seen->limits.max) : std::nullopt;
  SavedClock settled = *saved_;
  settled.last_target = settled.next_target;
  settled.next_target.reset();
  if (auto saved = store_.save(settled); !saved) return tl::unexpected(saved.error());
  saved_ = std::move(settled);
  return report;
}

/// Looks, judges and adopts. While nothing is written yet there is nothing to judge.
Result<GpuClock::Absorbed> GpuClock::absorb(Instant now) {
  Absorbed absorbed;
  auto looked = look(now, absorbed.cooling);
  if (!looked) return tl::unexpected(looked.error());
  absorbed.look = *looked;
  if (!saved_->last_target && !saved_->next_target) return absorbed;
  const Judgement judgement = judge(own_limits(*saved_), absorbed.look, node_.table.lowest());
  absorbed.verdict = judgement.verdict;
  note_doubt(judgement, absorbed.look, now);
  const ClockLimits before = saved_->found;
  saved_->found.min = judgement.adopt_min.value_or(before.min);
  saved_->found.max = judgement.adopt_max.value_or(before.max);
  if (judgement.adopt_max) late_mode_cap_.reset();
  if (late_mode_cap_ && absorbed.look.power_mode_changed) {
    saved_->found.max = std::exchange(late_mode_cap_, {}).value();
    mode_changed_at_.reset();
  }
  absorbed.adopted = saved_->found != before;
  return absorbed;
}

/// Remembers limits that cannot be judged yet, and a cap that turns out to be nvpmodel's only when its status file
/// follows.
void GpuClock::note_doubt(const Judgement& judgement, const ClockLook& look, Instant now) {
  if (judgement.verdict == ClockVerdict::look_again) {
    if (doubtful_ != look.limits) doubtful_since_ = now;
    doubtful_ = look.limits;
    return;
  }
  const bool only_min_changed = look.limits.max == saved_->last_target && look.limits.min == node_.table.lowest();
  if (judgement.verdict == ClockVerdict::rival && only_min_changed) {
    late_mode_cap_ = look.limits.max;
    doubt_settled_at_ = now;
  } else if (judgement.verdict == ClockVerdict::rival || judgement.verdict == ClockVerdict::mode_changed) {
    // Either these limits belong to a mode id already seen, or they may be followed by one.
    const bool id_may_follow = !mode_changed_at_ && look.limits.min == node_.table.lowest();
    if (foreign_ != look.limits) range_changed_at_ = id_may_follow ? std::optional(now) : std::nullopt;
    foreign_ = look.limits;
    mode_changed_at_.reset();
  }
  doubtful_.reset();
  if (!within(doubt_settled_at_, now, mode_change_time)) late_mode_cap_.reset();
}

Result<ClockLook> GpuClock::look(Instant now, std::vector<std::string>& cooling) {
  auto seen = see_clock_limits(board_, node_.devfreq_dir, node_.table, cooling_);
  if (!seen) return tl::unexpected(seen.error());
  note_power_mode(now);
  collect_writes();
  ClockLook look;
  look.limits = seen->limits;
  look.cooling = !seen->cooling.empty() || unexplained_cap_ == seen->limits.max;
  // Nothing is judged under a thermal cap, so what happens meanwhile stays news.
  if (look.cooling && mode_changed_at_) mode_changed_at_ = std::max(*mode_changed_at_, now);
  look.power_mode_changed = within(mode_changed_at_, now, mode_change_time);
  look.min_written = min_written_;
  look.max_written = max_written_;
  look.second_look = doubtful_ == seen->limits && now - doubtful_since_ >= settling_time;
  cooling = std::move(seen->cooling);
  return look;
}

/// A changed mode id is news until limits are seen that it explains, and none when such limits were seen just before
/// it.
void GpuClock::note_power_mode(Instant now) {
  looked_at_ = now;
  const auto mode = read_power_mode_id(board_);
  if (mode == saved_->power_mode) return;
  saved_->power_mode = mode;
  if (!within(range_changed_at_, now, mode_change_time)) mode_changed_at_ = now;
}

void GpuClock::collect_writes() {
  const auto min = board_.written_since_last_asked(node_.devfreq_dir + "/min_freq");
  const auto max = board_.written_since_last_asked(node_.devfreq_dir + "/max_freq");
  if (min && min_written_) *min_written_ = *min_written_ || *min;
  if (max && max_written_) *max_written_ = *max_written_ || *max;
}

/// Our own writes count as written, too: the first question takes them away (or starts the watch), the second is the
/// truth.
void GpuClock::forget_writes() {
  const std::string min = node_.devfreq_dir + "/min_freq";
  const std::string max = node_.devfreq_dir + "/max_freq";
  for (int i = 0; i < 2; ++i) {
    min_written_ = board_.written_since_last_asked(min);
    max_written_ = board_.written_since_last_asked(max);
  }
}

Result<CheckReport> GpuClock::check(Instant now) {
  if (!saved_) return failure("nothing is pinned on " + node_.name, EINVAL);
  if (node_.limits_may_hang) return check_governor_only();
  const SavedClock before = *saved_;
  auto absorbed = absorb(now);
  if (!absorbed) return tl::unexpected(absorbed.error());
  if (*saved_ != before) {
    if (auto saved = store_.save(*saved_); !saved) return tl::unexpected(saved.error());
  }
  CheckReport report{.verdict = absorbed->verdict,
                     .read = absorbed->look.limits,
                     .target = saved_->last_target,
                     .cooling = std::move(absorbed->cooling),
                     .adopted = absorbed->adopted,
                     .governor_was = changed_governor()};
  read_clock_and_load(absorbed->look, now);
  report.current = absorbed->look.current;
  if (report.verdict == ClockVerdict::held && absorbed->look.current_trusted && disobeys(absorbed->look)) {
    report.verdict = ClockVerdict::not_obeyed;
  }
  return report;
}

void GpuClock::read_clock_and_load(ClockLook& look, Instant now) const {
  look.current_trusted = now - written_at_ >= settling_time;
  if (node_.railgate_file) {
    if (const auto gated = board_.read(*node_.railgate_file)) look.powered = *gated == "no";
  }
  if (const auto current = read_current()) look.current = *current;
  if (!node_.load_file) return;
  if (const auto load = read_unsigned(board_, *node_.load_file)) look.load_percent = static_cast<double>(*load) / 10.0;
}

Result<CheckReport> GpuClock::check_governor_only() const {
  if (const auto governor = read_governor(); !governor) return tl::unexpected(governor.error());
  const ClockLimits written =
      saved_->last_target ? limits_for(saved_->style, *saved_->last_target, saved_->found) : saved_->found;
  return CheckReport{.read = written,
                     .target = saved_->last_target,
                     .cooling = cooling_.active(board_),
                     .governor_was = changed_governor()};
}

std::optional<std::string> GpuClock::changed_governor() const {
  const auto governor = read_governor();
  if (!governor || *governor == saved_->governor) return std::nullopt;
  return saved_->governor;
}

Result<ReleaseReport> GpuClock::release() {
  if (!saved_) return ReleaseReport{};
  collect_writes();
  note_power_mode(looked_at_);
  auto report = give_back(board_, GiveBack{.saved = *saved_,
                                           .table = node_.table,
                                           .cooling = cooling_,
                                           .power_mode_changed = mode_changed_at_.has_value(),
                                           .min_written = min_written_,
                                           .max_written = max_written_});
  if (!report || !report->complete) return report;
  if (auto removed = store_.remove(); !removed) return tl::unexpected(removed.error());
  forget_pin();
  return report;
}

void GpuClock::forget_pin() {
  saved_.reset();
  doubtful_.reset();
  doubt_settled_at_.reset();
  late_mode_cap_.reset();
  mode_changed_at_.reset();
  range_changed_at_.reset();
  foreign_.reset();
  unexplained_cap_.reset();
  min_written_.reset();
  max_written_.reset();
}

Result<bool> GpuClock::resume(Instant now) {
  auto saved = store_.load();
  if (!saved) return tl::unexpected(saved.error());
  if (!*saved || (*saved)->node != node_.devfreq_dir) return false;
  forget_pin();
  saved_ = std::move(**saved);
  looked_at_ = written_at_ = now;
  return true;
}

}  // namespace sweetspot
