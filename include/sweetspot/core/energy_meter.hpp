// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What was read at one instant. A rail that could not be read is empty, never zero.
struct PowerSample {
  Instant at;
  std::vector<std::optional<Watts>> rails;
  std::optional<double> gpu_load_percent;
};

/// Totals since the meter was made. Only differences between two readings mean anything.
struct MeterReading {
  struct Channel {
    double integral = 0;     ///< J for a rail, percent·s for the load
    Duration covered{0};     ///< how much of the time was measured
    friend bool operator==(const Channel&, const Channel&) = default;
  };
  Instant at{};              ///< time of the last sample; the epoch before the first
  std::vector<Channel> rails;
  Channel gpu_load;
  std::uint64_t samples = 0;
  friend bool operator==(const MeterReading&, const MeterReading&) = default;
};

/// Integrates power over time by the trapezoid rule between measured instants. Monotone in time: energy between two readings is their difference,
/// so it is additive over any split and no joule is attributed twice. It knows no jobs. Not thread-safe: the sampler owns
/// it and hands readings out.
///
/// Two samples further apart than `longest_step`, or with a missing value between them, have a gap between them: nothing is
/// integrated there.
class EnergyMeter {
 public:
  EnergyMeter(std::size_t rail_count, Duration longest_step);

  /// Samples come in order of time; one that is not later than the last is ignored. `sample.rails` has one entry per rail.
  void add(const PowerSample& sample);
  /// Sampling pauses (nobody needs it): the time until the next sample is a gap that no reading covers.
  void pause();

  [[nodiscard]] const MeterReading& reading() const { return total_; }
  /// The longest stretch after `since` that one of the rails in `counted` was not measured, up to the last sample.
  [[nodiscard]] Duration longest_gap(Instant since, std::span<const std::size_t> counted) const;
  /// The power of each rail at the last sample.
  [[nodiscard]] const std::optional<PowerSample>& last() const { return last_; }

 private:
  struct Gap {
    Instant begin;
    Instant end;
  };
  struct Track {
    std::optional<Instant> last_at;
    double last_value = 0;
    bool broken = false;   ///< a sample without a value came after last_at: a gap, however short
    std::deque<Gap> gaps;  ///< decreasing length: only those that can still be the longest since some instant
  };
  void advance(Track& track, MeterReading::Channel& channel, Instant at, std::optional<double> value);
  static void note_gap(Track& track, Gap gap);

  Duration longest_step_;
  MeterReading total_;
  std::vector<Track> tracks_;  ///< one per rail
  Track load_track_;
  std::optional<PowerSample> last_;
};

}  // namespace sweetspot
