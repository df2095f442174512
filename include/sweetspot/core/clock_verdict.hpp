// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sweetspot/core/pin_style.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// min_freq and max_freq together. On kernels from 5.5 on they read as the effective range, in which max wins.
struct ClockLimits {
  Hertz min;
  Hertz max;
  friend bool operator==(const ClockLimits&, const ClockLimits&) = default;
};

[[nodiscard]] std::string_view to_text(PinStyle style);

/// What a pin to `target` writes, given the limits found before the first pin. A cap takes a higher found minimum down
/// with it, because kernel 4.9 refuses min > max.
[[nodiscard]] ClockLimits limits_for(PinStyle style, Hertz target, ClockLimits found);

/// What we know of our own writes when a pair of limits is judged.
struct OwnLimits {
  ClockLimits found;          // to be restored
  std::optional<Hertz> last;  // target written completely
  std::optional<Hertz> next;  // target that may be written in part
  PinStyle style = PinStyle::exact;
};

/// One look at the board. `limits` are read between two looks at the cooling devices; `cooling` is true when either saw
/// one active: then a momentary thermal cap may hide what was written.
struct ClockLook {
  ClockLimits limits;
  bool cooling = false;
  bool power_mode_changed = false;  // nvpmodel's mode id differs from the one saved with `found`
  std::optional<bool> min_written;  // by others since our last write, where that can be known
  std::optional<bool> max_written;
  std::optional<Hertz> current;  // cur_freq
  std::optional<bool> powered;   // is_railgated = no
  std::optional<double> load_percent;
  bool current_trusted = false;  // long enough after the last write (100 ms: four governor polls)
  bool second_look = false;      // the same limits were already seen 100 ms ago or more
};

/// Whether a limit carries a value of ours: the found one, a target, or our pin hidden by a thermal cap.
struct Ownership {
  bool min = false;
  bool max = false;
  bool hidden = false;  // both are ours, but the board shows a thermal cap instead
};
[[nodiscard]] Ownership ownership(const OwnLimits& own, const ClockLook& look);

enum class ClockVerdict {
  held,          // the limits are ours and the clock obeys as far as can be seen
  capped,        // thermal: below our pin, recovers alone, nothing to write
  not_obeyed,    // the limits are ours, the clock is outside them under load
  mode_changed,  // a new range, as nvpmodel writes it: adopted as the range to restore; pin anew within it
  rival,         // another writer changed the limits: adopted where they are not ours; pin anew, but not in a loop
  look_again,    // cannot be told yet: look again in 100 ms or more
  waiting_for_cooling,  // changed while a cooling device is active: nothing is adopted or written until it rests
};
[[nodiscard]] std::string_view to_text(ClockVerdict verdict);

/// The verdict and what it means for the limits to restore.
struct Judgement {
  ClockVerdict verdict = ClockVerdict::held;
  std::optional<Hertz> adopt_min;
  std::optional<Hertz> adopt_max;
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// Judges a look at a pinned clock. `target` is the pin in force (OwnLimits::last), `lowest` the table's lowest clock,
/// which is what nvpmodel's "min 0" reads as.
[[nodiscard]] Judgement judge(const OwnLimits& own, const ClockLook& look, Hertz lowest);

/// cur_freq outside min…max by more than 1 % while the GPU is powered and loaded. Measured clocks read up to 0.6 %
/// beside their table entry (tegrastats 407 for 408 MHz), and an idle or gated GPU may show any clock.
[[nodiscard]] bool disobeys(const ClockLook& look);

}  // namespace sweetspot
