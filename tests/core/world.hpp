// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/boards.hpp"
#include "sweetspot/core/governor.hpp"

namespace sweetspot {

/// A governor with everything around it played by hand: time, an AGX Orin, a sampler whose rails and load draw what the
/// test sets, a clock worker that does at once what it is told. Nothing passes but what the test lets pass.
class World {
 public:
  explicit World(GovernorSettings settings = {}, BoardFacts facts = agx_orin()) : governor(std::move(settings)) {
    become(std::move(facts));
  }

  Instant now{seconds(5000)};
  Governor governor;
  std::vector<double> watts{10, 2, 5};  ///< one per rail
  std::optional<double> load = 80;      ///< per cent
  std::vector<Event> events;            ///< all that were taken

  /// The board is another one from now on; the sampler begins anew with its rails.
  void become(BoardFacts facts) {
    meter_ = EnergyMeter(facts.rails.size(), seconds(0.5));
    watts.resize(facts.rails.size(), 1);
    governor.observe_board(std::move(facts), now);
  }
  /// Governor and sampler go on with what others left.
  void take_over(const GovernorState& state) {
    if (state.meter) meter_ = EnergyMeter(*state.meter, seconds(0.5));
    governor.take_over(state, seconds(0.5), now);
  }
  JobId start(JobSpec spec, std::uint32_t uid = 1000) {
    return governor.start({std::move(spec), {uid, 4711, "python3"}, now, wall_clock()}).value();
  }
  void sample() {
    PowerSample taken{.at = now, .rails = {}, .gpu_load_percent = load};
    for (const double power : watts) taken.rails.push_back(Watts{power});
    meter_.add(taken);
    governor.observe_meter(meter_, now);
  }
  /// The sampler and the timer run for `s` seconds, ten times a second.
  void run_for(double s) {
    for (const Instant end = now + seconds(s); now < end;) {
      now += seconds(0.1);
      sample();
      governor.tick(now);
    }
  }
  /// Time passes without samples; the timer still fires.
  void pass(double s) {
    now += seconds(s);
    governor.tick(now);
  }
  void clock_is(ClockCondition condition, std::optional<Hertz> applied = std::nullopt, std::string detail = {}) {
    governor.observe_clock({condition, governor.goal(), applied, applied, std::move(detail)}, now);
  }
  /// The clock worker does what the governor wants.
  void obey() {
    const auto goal = governor.goal();
    clock_is(goal ? ClockCondition::pinned : ClockCondition::released, goal);
  }
  [[nodiscard]] const Job& job(JobId id) const { return governor.jobs().at(id); }
  [[nodiscard]] const Decision& decision(JobId id) const { return job(id).decision; }

  /// All events of one kind so far, in order.
  template <class Kind>
  std::vector<Kind> seen() {
    for (Event& event : governor.take_events()) events.push_back(std::move(event));
    std::vector<Kind> found;
    for (const Event& event : events) {
      if (const Kind* kind = std::get_if<Kind>(&event)) found.push_back(*kind);
    }
    return found;
  }
  /// What happened so far is of no interest.
  void forget_events() {
    seen<JobStarted>();
    events.clear();
  }
  /// Ends the job as its owner would, with a last sample, and answers its record.
  EnergyRecord end(JobId id) {
    const auto refused = governor.end(id, governor.jobs().at(id).owner.uid, now);
    sample();
    const std::vector<JobEnded> ended = seen<JobEnded>();
    return refused || ended.empty() ? EnergyRecord{} : ended.back().record;
  }

 private:
  [[nodiscard]] std::chrono::system_clock::time_point wall_clock() const {
    return std::chrono::system_clock::time_point(std::chrono::duration_cast<std::chrono::system_clock::duration>(
        std::chrono::hours(24 * 365 * 50) + now.time_since_epoch()));
  }
  EnergyMeter meter_{0, seconds(0.5)};
};

/// Specs that get 510, 612, 714 and 816 MHz under mlg.
inline const JobSpec wants_510{.layers = 6, .mean_sequence_length = 14};
inline const JobSpec wants_612{.layers = 6, .mean_sequence_length = 51};
inline const JobSpec wants_714{.layers = 24, .mean_sequence_length = 14};
inline const JobSpec wants_816{.layers = 24, .mean_sequence_length = 55};
inline const JobSpec wants_no_clock{.policy = "none"};

}  // namespace sweetspot
