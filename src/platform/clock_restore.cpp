// SPDX-License-Identifier: Apache-2.0
#include "platform/clock_restore.hpp"

#include <algorithm>
#include <cerrno>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/power_mode.hpp"

namespace sweetspot {
namespace {

/// A cap moves once in a second or so.
constexpr int most_looks_under_a_cap = 5;

ClockLook look_of(const GiveBack& what, const LimitsSeen& seen) {
  ClockLook look;
  look.limits = seen.limits;
  look.cooling = !seen.cooling.empty();
  look.power_mode_changed = what.power_mode_changed;
  look.min_written = what.min_written;
  look.max_written = what.max_written;
  return look;
}

/// nvpmodel wrote "min 0, max cap" and its cap is our target: max is its, whatever it reads.
bool max_is_the_power_modes(const GiveBack& what, const ClockLook& look) {
  const bool at_target = look.limits.max == what.saved.last_target || look.limits.max == what.saved.next_target;
  const bool changed = look.power_mode_changed || look.max_written.value_or(false);
  return at_target && changed && look.limits.min == what.table.lowest();
}

std::string left_alone(const char* file, Hertz value) {
  return std::string(file) + " is " + to_text(value) + ", which is not ours: left alone";
}

std::string restored(const char* file, Hertz value) {
  return std::string(file) + " restored to " + to_text(value);
}

class Restorer {
 public:
  explicit Restorer(const GiveBack& what) : what_(what), own_(own_limits(what.saved)) {
    report_.found = what.saved.found;
  }

  Result<ReleaseReport> run() {
    auto done = restore_max().and_then([this] { return restore_min(); }).and_then([this] { return verify(); });
    if (!done) return tl::unexpected(done.error());
    return std::move(report_);
  }

 private:
  /// A cap that moves between the reads of min and max makes a pair that was never in force, in which our min looks
  /// like another's. Under a cap a pair is believed when it reads the same twice.
  Result<LimitsSeen> see() const {
    auto seen = look();
    for (int again = 0; seen && !seen->cooling.empty() && again < most_looks_under_a_cap; ++again) {
      const ClockLimits before = seen->limits;
      seen = look();
      if (seen && seen->limits == before) break;
    }
    return seen;
  }

  Result<LimitsSeen> look() const { return what_.files.see(what_.cooling); }

  Result<void> restore_max() {
    const auto seen = see();
    if (!seen) return tl::unexpected(seen.error());
    const ClockLook look = look_of(what_, *seen);
    const Ownership ours = ownership(own_, look);
    max_is_ours_ = ours.max && !max_is_the_power_modes(what_, look);
    if (max_is_ours_) return write("max_freq", what_.saved.found.max, seen->limits.max, ours.hidden);
    if (look.cooling) {
      report_.complete = false;
      report_.notes.push_back("max_freq is " + to_text(seen->limits.max) + " while " + seen->cooling.front() +
                              " is active: who owns it shows when that rests");
    } else {
      report_.notes.push_back(left_alone("max_freq", seen->limits.max));
    }
    return {};
  }

  Result<void> restore_min() {
    const auto seen = see();
    if (!seen) return tl::unexpected(seen.error());
    const Ownership ours = ownership(own_, look_of(what_, *seen));
    const bool hidden = ours.hidden || seen->limits.min == seen->limits.max;
    // Under a foreign max a missing floor is nvpmodel's "min 0", even where we had pinned to the lowest clock.
    const bool reset = !max_is_ours_ && seen->limits.min == what_.table.lowest();
    if (ours.min && !reset) return write("min_freq", what_.saved.found.min, seen->limits.min, hidden);
    report_.notes.push_back(left_alone("min_freq", seen->limits.min));
    // A foreign max below our min hides it on kernels from 5.5 on. Writing what is shown changes nothing to be seen and
    // takes our forgotten floor away.
    const bool may_hide_ours = !max_is_ours_ && seen->cooling.empty() && seen->limits.min == seen->limits.max &&
                               seen->limits.min < highest_target();
    if (!may_hide_ours) return {};
    return what_.files.write("min_freq", seen->limits.min);
  }

  Hertz highest_target() const {
    return std::max(what_.saved.last_target.value_or(Hertz{}), what_.saved.next_target.value_or(Hertz{}));
  }

  Result<void> write(const char* file, Hertz value, Hertz shown, bool always) {
    if (value == shown && !always) return {};
    auto written = what_.files.write(file, value);
    if (!written) return written;
    report_.wrote = true;
    report_.notes.push_back(restored(file, value));
    return {};
  }

  Result<void> verify() {
    const auto seen = see();
    if (!seen) return tl::unexpected(seen.error());
    report_.read = seen->limits;
    report_.capped = max_is_ours_ && seen->limits.max < what_.saved.found.max;
    if (report_.capped) {
      report_.notes.push_back("max_freq still reads " + to_text(seen->limits.max) + ": " +
                              (seen->cooling.empty() ? std::string("another cap") : seen->cooling.front()) +
                              " is in force");
    }
    return {};
  }

  const GiveBack& what_;
  OwnLimits own_;
  ReleaseReport report_;
  bool max_is_ours_ = false;
};

Result<FrequencyTable> read_table(const Attributes& board, const std::string& node) {
  const auto text = board.read(node + "/available_frequencies");
  if (!text) return tl::unexpected(text.error());
  auto clocks = parse_clock_list(*text);
  if (!clocks) return tl::unexpected(clocks.error());
  return FrequencyTable::from(std::move(*clocks));
}

/// A saved clock that this node cannot have had is not acted on.
Result<void> plausible(const SavedClock& saved, const FrequencyTable& table) {
  for (const std::optional<Hertz>& target : {saved.last_target, saved.next_target}) {
    if (target && !table.contains(*target)) {
      return failure("the saved target " + to_text(*target) + " is not in the table of " + saved.node, EINVAL);
    }
  }
  if (saved.found.min > table.highest() || saved.found.max > table.highest()) {
    return failure("the saved limits are above the table of " + saved.node, EINVAL);
  }
  return {};
}

}  // namespace

OwnLimits own_limits(const SavedClock& saved) {
  return OwnLimits{.found = saved.found, .last = saved.last_target, .next = saved.next_target, .style = saved.style};
}

Result<ReleaseReport> give_back(const GiveBack& what) {
  return Restorer(what).run();
}

Result<ReleaseReport> restore_saved_clock(Attributes& board, SavedClockStore& store) {
  const auto saved = store.load();
  if (!saved) return tl::unexpected(saved.error());
  ReleaseReport report;
  if (!*saved) {
    report.notes.emplace_back("no clock of this boot is saved: nothing to restore");
    if (auto removed = store.remove(); !removed) return tl::unexpected(removed.error());
    return report;
  }
  const SavedClock& clock = **saved;
  if (!board.exists(clock.node)) {
    report.node_gone = true;
    report.complete = false;
    report.notes.push_back(clock.node +
                           " is gone and its limits went with it; the saved clock is kept until it is back");
    return report;
  }
  const auto table = read_table(board, clock.node);
  if (!table) return tl::unexpected(table.error());
  if (auto checked = plausible(clock, *table); !checked) return tl::unexpected(checked.error());
  const auto mode = read_power_mode_id(board);
  const CoolingDevices cooling = CoolingDevices::find(board);
  const LimitFiles files(board, clock.node, *table);
  auto given = give_back(GiveBack{.saved = clock,
                                  .table = *table,
                                  .files = files,
                                  .cooling = cooling,
                                  .power_mode_changed = mode != clock.power_mode});
  if (!given || !given->complete) return given;
  if (auto removed = store.remove(); !removed) return tl::unexpected(removed.error());
  return given;
}

}  // namespace sweetspot
