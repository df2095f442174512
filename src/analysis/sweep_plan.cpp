// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/sweep_plan.hpp"

#include <map>
#include <utility>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

/// Steele, Lea and Flood's SplitMix64: numbers that are the same wherever they are drawn, as the standard library's
/// shuffle and distributions are not.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  /// Below `limit`, which is above 0. The modulo's bias is below 1e-15 for any list of clocks.
  [[nodiscard]] std::size_t below(std::size_t limit) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>((mixed ^ (mixed >> 31U)) % limit);
  }

 private:
  std::uint64_t state_;
};

/// Fisher and Yates' way.
template <class T>
void shuffle(std::vector<T>& values, RandomNumbers& random) {
  for (std::size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[random.below(left)]);
}

/// Seconds of a run at a clock: fixed + scaling / MHz.
struct TimeLine {
  double fixed = 0;
  double scaling = 0;
  [[nodiscard]] double at(Hertz clock) const { return fixed + scaling / in_megahertz(clock); }
};

using TimesByClock = std::map<Hertz, Repeats>;

/// Least squares over 1/f. Neither part can be negative: then the other one is all.
std::optional<TimeLine> time_line(const TimesByClock& times) {
  if (times.empty()) return std::nullopt;
  const auto count = static_cast<double>(times.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& [clock, seconds] : times) {
    mean_x += 1 / in_megahertz(clock) / count;
    mean_y += seconds.mean() / count;
  }
  if (times.size() == 1) return TimeLine{.fixed = 0, .scaling = mean_y / mean_x};
  double products = 0;
  double squares = 0;
  for (const auto& [clock, seconds] : times) {
    const double x = 1 / in_megahertz(clock) - mean_x;
    products += x * (seconds.mean() - mean_y);
    squares += x * x;
  }
  const double slope = products / squares;
  if (slope <= 0) return TimeLine{.fixed = mean_y, .scaling = 0};
  const double fixed = mean_y - slope * mean_x;
  if (fixed < 0) return TimeLine{.fixed = 0, .scaling = mean_y / mean_x};
  return TimeLine{.fixed = fixed, .scaling = slope};
}

}  // namespace

std::string to_text(const SweepPoint& point) {
  const std::string text = point.clock ? to_text(*point.clock) : "baseline";
  return point.repeat == 1 ? text : text + ", repeat " + std::to_string(point.repeat);
}

std::vector<SweepPoint> sweep_plan(const SweepRequest& request) {
  RandomNumbers random(request.seed);
  std::vector<SweepPoint> plan;
  for (std::size_t repeat = 1; repeat <= request.repeats; ++repeat) {
    std::vector<SweepPoint> round;
    for (const Hertz clock : request.clocks) round.push_back({.clock = clock, .repeat = repeat});
    if (request.baseline) round.push_back({.clock = std::nullopt, .repeat = repeat});
    shuffle(round, random);
    plan.insert(plan.end(), round.begin(), round.end());
  }
  return plan;
}

std::optional<double> expected_seconds(std::span<const SweepPoint> left, std::span<const TimedRun> done,
                                       const SweepPace& pace) {
  TimesByClock pinned;
  Repeats baseline;
  for (const TimedRun& run : done) (run.point.clock ? pinned[*run.point.clock] : baseline).add(run.seconds);
  auto line = time_line(pinned);
  if (!line && pace.top_time_s) line = TimeLine{.fixed = 0, .scaling = *pace.top_time_s * in_megahertz(pace.top)};
  // A job that keeps the GPU busy runs unpinned at about the highest clock.
  if (!line && baseline.count() > 0) line = TimeLine{.fixed = 0, .scaling = baseline.mean() * in_megahertz(pace.top)};

  double sum = 0;
  for (const SweepPoint& point : left) {
    sum += pace.pause_s;
    const auto seen = point.clock ? pinned.find(*point.clock) : pinned.end();
    if (seen != pinned.end()) {
      sum += seen->second.mean();
    } else if (!point.clock && baseline.count() > 0) {
      sum += baseline.mean();
    } else if (line) {
      sum += line->at(point.clock.value_or(pace.top));
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

}  // namespace sweetspot
