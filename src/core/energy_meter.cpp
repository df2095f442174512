// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/energy_meter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweetspot {

EnergyMeter::EnergyMeter(std::size_t rail_count, Duration longest_step)
    : longest_step_(longest_step), tracks_(rail_count) {
  total_.rails.resize(rail_count);
}

EnergyMeter::EnergyMeter(PausedMeter paused, Duration longest_step)
    : longest_step_(longest_step), total_(std::move(paused.total)) {
  for (const PausedMeter::Rail& rail : paused.rails) {
    Track& track = tracks_.emplace_back();
    track.last_at = rail.last_at;
    track.gaps.assign(rail.gaps.begin(), rail.gaps.end());
  }
}

PausedMeter EnergyMeter::paused() const {
  PausedMeter paused{total_, {}};
  for (const Track& track : tracks_) paused.rails.push_back({track.last_at, {track.gaps.begin(), track.gaps.end()}});
  return paused;
}

void EnergyMeter::add(const PowerSample& sample) {
  if (total_.samples > 0 && sample.at <= total_.at) return;
  last_ = sample;
  last_->rails.resize(tracks_.size());
  for (std::optional<Watts>& power : last_->rails) {
    if (power && !std::isfinite(power->value)) power.reset();
  }
  std::optional<double>& load = last_->gpu_load_percent;
  if (load && !std::isfinite(*load)) load.reset();

  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const std::optional<Watts>& power = last_->rails[i];
    advance(tracks_[i], total_.rails[i], sample.at, power ? std::optional(power->value) : std::nullopt);
  }
  advance(load_track_, total_.gpu_load, sample.at, load);
  total_.at = sample.at;
  ++total_.samples;
}

void EnergyMeter::pause() {
  for (Track& track : tracks_) track.broken = true;
  load_track_.broken = true;
  last_.reset();
}

void EnergyMeter::advance(Track& track, MeterReading::Channel& channel, Instant at, std::optional<double> value) {
  if (!value) {  // the gap is noted when the channel comes back; until then longest_gap() sees last_at stand still
    track.broken = true;
    return;
  }
  const Duration step = at - track.last_at;
  if (!track.broken && step <= longest_step_) {
    channel.integral += (track.last_value + *value) / 2 * in_seconds(step);
    channel.covered += step;
  } else {
    note_gap(track, {track.last_at, at});
  }
  track.last_at = at;
  track.last_value = *value;
  track.broken = false;
}

void EnergyMeter::note_gap(Track& track, Gap gap) {
  const auto length = [](const Gap& g) { return g.end - g.begin; };
  while (!track.gaps.empty() && length(track.gaps.back()) <= length(gap)) track.gaps.pop_back();
  track.gaps.push_back(gap);
  // Random gaps leave a chain of a handful; this bounds what a failing sensor can cost.
  if (track.gaps.size() <= PausedMeter::most_gaps) return;
  // The two neighbours nearest in length become one, as long as the longer and as late as the later: a little too much
  // for some, too little for nobody.
  std::size_t merged = 0;
  const auto excess = [&](std::size_t i) { return length(track.gaps[i]) - length(track.gaps[i + 1]); };
  for (std::size_t i = 1; i + 1 < track.gaps.size(); ++i) {
    if (excess(i) < excess(merged)) merged = i;
  }
  track.gaps[merged + 1].begin = track.gaps[merged + 1].end - length(track.gaps[merged]);
  track.gaps.erase(track.gaps.begin() + static_cast<std::ptrdiff_t>(merged));
}

Duration EnergyMeter::longest_gap(Instant since, Instant until, std::span<const std::size_t> counted) const {
  Duration longest{0};
  for (const std::size_t index : counted) {
    const Track& track = tracks_[index];
    for (const Gap& gap : track.gaps) longest = std::max(longest, gap.end - std::max(gap.begin, since));
    // Still missing now: nothing was measured after its last value.
    longest = std::max(longest, std::max(until, total_.at) - std::max(track.last_at, since));
  }
  return longest;
}

}  // namespace sweetspot
