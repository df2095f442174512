// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/clock_verdict.hpp"

#include <algorithm>
#include <array>

namespace sweetspot {
namespace {

/// Targets of ours that the board may carry, and the limits either style would have written for them: the style may
/// just have changed.
template <class Predicate>
bool any_own_limits(const OwnLimits& own, Predicate&& matches) {
  for (const std::optional<Hertz>& target : {own.last, own.next}) {
    if (!target) continue;
    if (matches(limits_for(PinStyle::exact, *target, own.found))) return true;
    if (matches(limits_for(PinStyle::cap, *target, own.found))) return true;
  }
  return false;
}

/// From kernel 5.5 on a lowered max makes min read the same while the kernel still remembers our higher min. Only
/// believed when the writes were seen: one to max_freq and none to min_freq.
bool max_hides_our_min(const OwnLimits& own, const ClockLook& look) {
  const bool only_max_written = look.max_written.value_or(false) && !look.min_written.value_or(true);
  return only_max_written && look.limits.min == look.limits.max &&
         any_own_limits(own, [&](ClockLimits ours) { return ours.min >= look.limits.min; });
}

Judgement judge_change(const OwnLimits& own, const ClockLook& look, Hertz lowest) {
  const Ownership ours = ownership(own, look);
  Judgement judgement{.verdict = ClockVerdict::rival, .adopt_min = {}, .adopt_max = {}};
  if (!ours.max) judgement.adopt_max = look.limits.max;
  if (!ours.min) judgement.adopt_min = look.limits.min;
  const bool looks_like_nvpmodel = look.limits.min == lowest && (!ours.max || look.power_mode_changed);
  if (looks_like_nvpmodel && own.found.min != lowest) judgement.adopt_min = lowest;
  if (look.power_mode_changed || looks_like_nvpmodel) judgement.verdict = ClockVerdict::mode_changed;
  return judgement;
}

/// min is back at the bottom while max still reads our target: nvpmodel between its two writes, nvpmodel with a cap
/// that is our target, or somebody who wrote min alone.
Judgement judge_reset_min(const OwnLimits& own, const ClockLook& look) {
  Judgement judgement{.verdict = ClockVerdict::rival, .adopt_min = {}, .adopt_max = {}};
  if (look.limits.min != own.found.min) judgement.adopt_min = look.limits.min;
  if (look.power_mode_changed || look.max_written.value_or(false)) {
    judgement.verdict = ClockVerdict::mode_changed;
    if (look.limits.max != own.found.max) judgement.adopt_max = look.limits.max;
    return judgement;
  }
  if (!look.second_look) return {.verdict = ClockVerdict::look_again, .adopt_min = {}, .adopt_max = {}};
  return judgement;
}

}  // namespace

std::string_view to_text(PinStyle style) {
  switch (style) {
    case PinStyle::exact:
      return "exact";
    case PinStyle::cap:
      return "cap";
  }
  return "?";
}

std::string_view to_text(ClockVerdict verdict) {
  switch (verdict) {
    case ClockVerdict::held:
      return "held";
    case ClockVerdict::capped:
      return "capped";
    case ClockVerdict::not_obeyed:
      return "not obeyed";
    case ClockVerdict::mode_changed:
      return "power mode changed";
    case ClockVerdict::rival:
      return "changed by another writer";
    case ClockVerdict::look_again:
      return "being changed";
    case ClockVerdict::waiting_for_cooling:
      return "waiting for cooling";
  }
  return "?";
}

ClockLimits limits_for(PinStyle style, Hertz target, ClockLimits found) {
  switch (style) {
    case PinStyle::exact:
      return {target, target};
    case PinStyle::cap:
      return {std::min(found.min, target), target};
  }
  return {target, target};
}

Ownership ownership(const OwnLimits& own, const ClockLook& look) {
  const ClockLimits read = look.limits;
  // What others are known to have written under the thermal cap is not our pin, however alike it looks.
  const bool rewritten = look.min_written.value_or(false) || look.max_written.value_or(false) ||
                         (own.style == PinStyle::cap && look.power_mode_changed);
  const auto shows_as_capped = [&](const std::optional<Hertz>& target) {
    if (!target) return false;
    const ClockLimits ours = limits_for(own.style, *target, own.found);
    return read.max < ours.max && read.min == std::min(ours.min, read.max);
  };
  const bool hidden = look.cooling && !rewritten && (shows_as_capped(own.last) || shows_as_capped(own.next));
  const bool masked = look.cooling && rewritten;
  const bool max = !masked && (read.max == own.found.max || read.max == own.last || read.max == own.next);
  const bool min = !(masked && read.min == read.max) &&
                   (read.min == own.found.min || max_hides_our_min(own, look) ||
                    any_own_limits(own, [&](ClockLimits ours) { return read.min == ours.min; }));
  return {.min = min || hidden, .max = max || hidden, .hidden = hidden};
}

Judgement judge(const OwnLimits& own, const ClockLook& look, Hertz lowest) {
  const Hertz target = own.last ? *own.last : own.next.value_or(own.found.max);
  const ClockLimits wanted = limits_for(own.style, target, own.found);
  const auto only = [](ClockVerdict verdict) {
    return Judgement{.verdict = verdict, .adopt_min = {}, .adopt_max = {}};
  };

  if (look.limits == wanted) {
    // With no floor of ours in it, a pin looks like nvpmodel's "min 0, max cap" with a cap that is our target.
    const bool may_be_nvpmodels = look.power_mode_changed && wanted.min == lowest;
    if (look.cooling && (may_be_nvpmodels || look.max_written.value_or(false))) {
      return only(ClockVerdict::waiting_for_cooling);
    }
    if (may_be_nvpmodels) {
      Judgement judgement{.verdict = ClockVerdict::mode_changed, .adopt_min = {}, .adopt_max = {}};
      if (own.found.min != lowest) judgement.adopt_min = lowest;
      if (own.found.max != wanted.max) judgement.adopt_max = wanted.max;
      return judgement;
    }
    return only(look.current_trusted && disobeys(look) ? ClockVerdict::not_obeyed : ClockVerdict::held);
  }
  if (look.cooling) {
    return only(ownership(own, look).hidden ? ClockVerdict::capped : ClockVerdict::waiting_for_cooling);
  }
  if (look.limits.max == wanted.max && look.limits.min == lowest) return judge_reset_min(own, look);
  // A thermal cap is in force an instant before its cooling device says so: such a picture is believed at the second
  // look.
  const bool like_thermal_cap =
      look.limits.max < wanted.max && look.limits.min == std::min(wanted.min, look.limits.max);
  if (like_thermal_cap && !look.second_look) return only(ClockVerdict::look_again);
  return judge_change(own, look, lowest);
}

bool disobeys(const ClockLook& look) {
  if (!look.current || !look.powered.value_or(true) || look.load_percent.value_or(0) <= 0) return false;
  const auto current = static_cast<double>(look.current->value);
  return current < 0.99 * static_cast<double>(look.limits.min.value) ||
         current > 1.01 * static_cast<double>(look.limits.max.value);
}

}  // namespace sweetspot
