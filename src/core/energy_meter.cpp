// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/energy_meter.hpp"

#include <algorithm>

namespace sweetspot {

EnergyMeter::EnergyMeter(std::size_t rail_count, Duration longest_step)
    : longest_step_(longest_step), tracks_(rail_count) {
  total_.rails.resize(rail_count);
}

void EnergyMeter::add(const PowerSample& sample) {
  if (last_ && sample.at <= last_->at) return;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    std::optional<double> value;
    if (i < sample.rails.size() && sample.rails[i]) value = sample.rails[i]->value;
    advance(tracks_[i], total_.rails[i], sample.at, value);
  }
  advance(load_track_, total_.gpu_load, sample.at, sample.gpu_load_percent);
  total_.at = sample.at;
  ++total_.samples;
  last_ = sample;
}

void EnergyMeter::pause() {
  for (Track& track : tracks_) track.last_at.reset();
  load_track_.last_at.reset();
  last_.reset();
}

void EnergyMeter::advance(Track& track, MeterReading::Channel& channel, Instant at, std::optional<double> value) {
  if (!value) {  // the gap is noted when the channel comes back; until then longest_gap() sees last_at stand still
    track.broken = true;
    return;
  }
  if (track.last_at) {
    const Duration step = at - *track.last_at;
    if (step <= longest_step_ && !track.broken) {
      channel.integral += (track.last_value + *value) / 2 * in_seconds(step);
      channel.covered += step;
    } else {
      note_gap(track, {*track.last_at, at});
    }
  }
  track.last_at = at;
  track.last_value = *value;
  track.broken = false;
}

void EnergyMeter::note_gap(Track& track, Gap gap) {
  const auto length = [](const Gap& g) { return g.end - g.begin; };
  while (!track.gaps.empty() && length(track.gaps.back()) <= length(gap)) track.gaps.pop_back();
  track.gaps.push_back(gap);
  // A chain of ever shorter gaps this long says all there is to say; the oldest (longest) matter only to very old jobs, so
  // the shortest go first.
  constexpr std::size_t most_gaps = 64;
  if (track.gaps.size() > most_gaps) track.gaps.pop_back();
}

Duration EnergyMeter::longest_gap(Instant since, std::span<const std::size_t> counted) const {
  Duration longest{0};
  for (const std::size_t index : counted) {
    const Track& track = tracks_[index];
    for (const Gap& gap : track.gaps) {
      if (gap.end > since) longest = std::max(longest, gap.end - std::max(gap.begin, since));
    }
    // Still missing now: from its last value (or from the start of the question) to the last sample.
    const Instant measured_until = std::max(track.last_at.value_or(since), since);
    if (total_.at > measured_until) longest = std::max(longest, Duration(total_.at - measured_until));
  }
  return longest;
}

}  // namespace sweetspot
