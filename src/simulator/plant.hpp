// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "sweetspot/simulator/board.hpp"
#include "sweetspot/simulator/workload.hpp"

namespace sweetspot {

/// Energy of each part of the board since the mount, J; same shape as the power.
using PartEnergy = PartPower;

/// A moment at which power changed: what had been used by then, and the power from then on.
struct PowerChange {
  Instant at;
  PartEnergy used;
  PartPower power;
};

/// The recent past of the board's power, for sensors that average over a window which ended a moment ago.
class PowerHistory {
 public:
  void record(PowerChange change);
  /// Mean power in [from, to], W. `to` must not be later than now; before the first record the first power is assumed.
  [[nodiscard]] PartPower mean(Instant from, Instant to) const;
  [[nodiscard]] PartEnergy used_at(Instant at) const;

 private:
  std::deque<PowerChange> changes_;
};

struct LoadProgress {
  double steps = 0;
  double total = 0;  ///< 0: endless
  bool running = false;
  PartEnergy energy;  ///< its share, counted while it ran
  double busy_s = 0;  ///< wall time it ran
  std::string workload;
};

struct PlantOptions {
  std::uint64_t seed = 1;
  double time_scale = 1;
  double run_noise = 0;  ///< standard deviation of a load's power from run to run, as a fraction
};

/// The board's GPU, loads and energy over time. Never reads a clock: `advance` brings it to a given instant,
/// integrating exactly between the instants at which something changes. Single-threaded.
class Plant {
 public:
  Plant(const Board& board, PlantOptions options, Instant start);

  void advance(Instant now);

  /// The devfreq node; after changing it call `retarget`.
  [[nodiscard]] DevfreqModel& devfreq() { return devfreq_; }
  [[nodiscard]] const DevfreqModel& devfreq() const { return devfreq_; }
  /// Lets the driver act on the node's state: the clock follows within 0…30 ms (seeded).
  void retarget();
  /// Forgets all limits, as a driver that was loaded anew.
  void reset_devfreq();

  [[nodiscard]] std::uint64_t start_load(const Workload& work, double steps);
  void end_load(std::uint64_t id);
  [[nodiscard]] LoadProgress progress(std::uint64_t id) const;
  /// Runs while no load is started.
  void background(std::optional<Workload> work);

  void behave_as(DevfreqModel::Kernel kernel);
  void obey(bool clock_follows);
  void gate_when_idle(bool enabled);
  void gate_delay(Duration delay) { gate_delay_ = delay; }
  [[nodiscard]] Duration gate_delay() const { return gate_delay_; }
  [[nodiscard]] bool gating() const { return gating_; }

  [[nodiscard]] Hertz clock() const;  ///< as cur_freq shows it: the lowest entry while gated
  [[nodiscard]] bool powered() const { return powered_; }
  [[nodiscard]] double load() const;
  [[nodiscard]] PartPower power() const { return power_; }
  [[nodiscard]] PartEnergy energy() const { return used_; }
  [[nodiscard]] const PowerHistory& history() const { return history_; }
  [[nodiscard]] const std::map<std::uint64_t, LoadProgress>& loads() const { return records_; }
  [[nodiscard]] double seconds_at(std::size_t clock_index) const { return residency_s_[clock_index]; }
  [[nodiscard]] std::uint64_t transitions(std::size_t from, std::size_t to) const;
  void reset_statistics();
  [[nodiscard]] Instant now() const { return now_; }

 private:
  struct Load {
    Workload work;
    double steps_left = 0;  ///< meaningful when total > 0
    double power_factor = 1;
  };

  [[nodiscard]] Instant next_change() const;
  [[nodiscard]] OperatingPoint point_of(const Workload& work) const;
  [[nodiscard]] bool left_to_governor(const Workload& work) const;
  [[nodiscard]] Hertz wish() const;
  [[nodiscard]] double share() const;
  void integrate(Instant until);
  void apply_due();
  void refresh();
  void set_clock(Hertz clock);
  [[nodiscard]] std::vector<const Load*> active() const;

  Stage stage_;
  PlantOptions options_;
  std::mt19937_64 random_;
  DevfreqModel::Kernel kernel_;
  DevfreqModel devfreq_;
  std::vector<Hertz> clocks_;
  Hertz clock_;
  std::optional<Instant> clock_due_;
  bool obeys_ = true;
  bool powered_ = false;
  bool gating_ = true;
  Duration gate_delay_;
  std::optional<Instant> idle_since_;
  std::map<std::uint64_t, Load> running_;
  std::map<std::uint64_t, LoadProgress> records_;
  std::optional<Load> background_;
  std::uint64_t next_id_ = 1;
  Instant now_;
  PartEnergy used_;
  PartPower power_;
  PowerHistory history_;
  std::vector<double> residency_s_;
  std::vector<std::uint64_t> transitions_;
};

}  // namespace sweetspot
