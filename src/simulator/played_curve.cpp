// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/played_curve.hpp"

#include <algorithm>
#include <random>
#include <string_view>

namespace sweetspot {

namespace {

// A run's power is never taken below this share of its mean, however the noise falls: as on the mounted board.
constexpr double least_factor = 0.5;

// FNV-1a: the standard library's hash may differ from build to build.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

OperatingPoint point_at(const Workload& work, const Stage& stage, const std::vector<Hertz>& clocks,
                        std::optional<Hertz> clock) {
  if (clock) return pinned_point(work, stage, in_megahertz(*clock));
  if (const auto unpinned = unpinned_point(work, stage)) return *unpinned;
  return pinned_point(work, stage, in_megahertz(governor_wish(work, stage, clocks)));
}

}  // namespace

std::vector<PlayedRun> played_runs(const Workload& work, const Board& board, const PlayedRuns& how) {
  const std::vector<Hertz>& clocks = board.gpu.node.clocks;
  const Stage stage{
      .traits = board.power, .top_mhz = in_megahertz(clocks.back()), .measured_here = board.measured_here};
  std::mt19937_64 random(how.seed ^ hash_of(work.id));
  std::normal_distribution<double> spread(1.0, std::max(how.run_noise, 1e-12));
  std::vector<std::optional<Hertz>> points(clocks.begin(), clocks.end());
  points.emplace_back(std::nullopt);
  std::vector<PlayedRun> runs;
  for (int repeat = 1; repeat <= how.repeats; ++repeat) {
    for (const auto& clock : points) {
      const OperatingPoint point = point_at(work, stage, clocks, clock);
      const double watts = point.power.gpu + point.power.traffic + point.power.cpu;
      const double factor = how.run_noise > 0 ? std::max(least_factor, spread(random)) : 1;
      const double seconds = point.step_seconds * work.total_steps;
      runs.push_back({clock, repeat, seconds, watts * seconds * factor, point.load});
    }
  }
  return runs;
}

}  // namespace sweetspot
