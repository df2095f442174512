// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <utility>

#include "platform/clock_restore.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
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

/// Looks, judges and adopts. While nothing is written yet there is nothing to judge.
Result<GpuClock::Absorbed> GpuClock::absorb(Instant now) {
  Absorbed absorbed;
  if (!saved_->last_target && !saved_->next_target) {
    absorbed.look.limits = saved_->found;  // just read
    return absorbed;
  }
  auto looked = look(now, absorbed.cooling);
  if (!looked) return tl::unexpected(looked.error());
  absorbed.look = *looked;
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
  const bool of_others = judgement.verdict == ClockVerdict::rival || judgement.verdict == ClockVerdict::mode_changed;
  judged_ = of_others ? std::optional(look.limits) : std::nullopt;
  if (!within(doubt_settled_at_, now, mode_change_time)) late_mode_cap_.reset();
}

Result<ClockLook> GpuClock::look(Instant now, std::vector<std::string>& cooling) {
  auto seen = limits_.see(cooling_);
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
  look.second_look = judged_ == seen->limits || (doubtful_ == seen->limits && now - doubtful_since_ >= settling_time);
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
  return CheckReport{
      .read = written, .target = saved_->last_target, .cooling = cooling_.active(), .governor_was = changed_governor()};
}

std::optional<std::string> GpuClock::changed_governor() const {
  const auto governor = read_governor();
  if (!governor || *governor == saved_->governor) return std::nullopt;
  return saved_->governor;
}

}  // namespace sweetspot
