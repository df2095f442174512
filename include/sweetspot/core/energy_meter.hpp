// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What was read at one instant. A rail that could not be read is empty, never zero. The load is a mean in per cent,
/// 0..100.
struct PowerSample {
  Instant at;
  std::vector<std::optional<Watts>> rails;
  std::optional<double> gpu_load_percent;
};

/// Totals since the meter was made. Only differences between two readings of the same meter mean anything.
struct MeterReading {
  struct Channel {
    double integral = 0;  ///< J for a rail, percent·s for the load
    Duration covered{0};  ///< how much of the time was measured
    friend bool operator==(const Channel&, const Channel&) = default;
  };
  Instant at{};  ///< time of the last sample; the epoch before the first
  std::vector<Channel> rails;
  Channel gpu_load;
  std::uint64_t samples = 0;
  friend bool operator==(const MeterReading&, const MeterReading&) = default;
};

/// A meter that stands still, as a value: what another process needs to go on with it. Passive; nothing in it is
/// checked.
struct PausedMeter {
  struct Gap {
    Instant begin;
    Instant end;
    friend bool operator==(const Gap&, const Gap&) = default;
  };
  struct Rail {
    Instant last_at{};      ///< of the last value; the epoch before the first
    std::vector<Gap> gaps;  ///< decreasing length, increasing end
    friend bool operator==(const Rail&, const Rail&) = default;
  };
  static constexpr std::size_t most_gaps = 64;  ///< of one rail

  MeterReading total;
  std::vector<Rail> rails;  ///< one per rail of `total`
  friend bool operator==(const PausedMeter&, const PausedMeter&) = default;
};

/// Integrates power over time by the trapezoid rule between measured instants. Energy between two readings is their
/// difference, so it is additive over any split and no joule is attributed twice; covered time never falls (energy may,
/// while a rail reads below zero). It knows no jobs. Not thread-safe: the sampler owns it and hands copies out.
///
/// Two samples further apart than `longest_step`, or with a missing value between them, have a gap between them:
/// nothing is integrated there.
class EnergyMeter {
 public:
  EnergyMeter(std::size_t rail_count, Duration longest_step);
  /// Goes on with a meter that was paused: the time until the next sample is a gap. Expects as many rails as readings.
  EnergyMeter(PausedMeter paused, Duration longest_step);

  /// From the next sample on.
  void use_longest_step(Duration longest_step) { longest_step_ = longest_step; }
  /// Samples come in order of time; one that is not later than all before is ignored. `sample.rails` has one entry per
  /// rail; a value that is missing or not finite was not measured.
  void add(const PowerSample& sample);
  /// Sampling pauses (nobody needs it): the time until the next sample is a gap that no reading covers.
  void pause();
  /// The meter as it would be after pause().
  [[nodiscard]] PausedMeter paused() const;

  [[nodiscard]] const MeterReading& reading() const { return total_; }
  /// The longest stretch between `since` and `until` (or the last sample, where that is later) in which one of the
  /// rails in `counted` (indices) had neither a value nor an integrated step. Never less than the truth.
  [[nodiscard]] Duration longest_gap(Instant since, Instant until, std::span<const std::size_t> counted) const;
  /// The last sample; empty before the first and while paused.
  [[nodiscard]] const std::optional<PowerSample>& last() const { return last_; }

 private:
  using Gap = PausedMeter::Gap;
  struct Track {
    Instant last_at{};  ///< of the last value; the epoch before the first
    double last_value = 0;
    bool broken = true;    ///< nothing can be integrated up to the next value: a gap, however short
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
