// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/gpu_clock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "platform/clock_restore.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/power_mode.hpp"

namespace sweetspot {
namespace {

/// devfreq takes names of up to 15 characters (DEVFREQ_NAME_LEN is 16).
constexpr std::size_t longest_governor_name = 64;

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
    : board_(board),
      node_(std::move(node)),
      store_(store),
      limits_(board, node_.devfreq_dir, node_.table),
      governor_(board, node_.devfreq_dir + "/governor"),
      current_(board, node_.devfreq_dir + "/cur_freq"),
      cooling_(CoolingDevices::find(board)) {}

Result<ClockLimits> GpuClock::read_limits() const {
  return limits_.read();
}
Result<std::string> GpuClock::read_governor() const {
  std::array<char, longest_governor_name> buffer;
  return governor_.read(buffer).map([](std::string_view name) { return std::string(name); });
}
Result<Hertz> GpuClock::read_current() const {
  return read_clock(current_);
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
  auto seen = limits_.see(cooling_);
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
    return min_stays ? Result<void>() : limits_.write("min_freq", limits.min);
  };
  const auto write_max = [&] { return limits_.write("max_freq", limits.max); };
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
  judged_.reset();
  forget_writes();
  const auto seen = limits_.see(cooling_);
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

Result<ReleaseReport> GpuClock::release() {
  if (!saved_) return ReleaseReport{};
  collect_writes();
  note_power_mode(looked_at_);
  auto report = give_back(GiveBack{.saved = *saved_,
                                   .table = node_.table,
                                   .files = limits_,
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
  judged_.reset();
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
