// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "sweetspot/core/adaptive_policy.hpp"

namespace sweetspot::tests {

/// So many clocks, evenly from 300 to 1300 MHz.
inline FrequencyTable grid(int clocks) {
  std::vector<Hertz> hertz;
  for (int i = 0; i < clocks; ++i) hertz.push_back(megahertz(300 + 1000.0 * i / (clocks - 1)));
  return FrequencyTable::from(hertz).value();
}

/// A job whose steps cost what a function of the clock in MHz says, and take a second or what another one says; 0 MHz:
/// not pinned. Its meter shows them with 1 % scatter over ten steps.
class PlayedJob {
 public:
  using Curve = std::function<double(double)>;
  PlayedJob(
      AdaptivePolicy& policy, Curve curve, unsigned seed, Curve time = [](double) { return 1.0; })
      : policy_(policy), curve_(std::move(curve)), time_(std::move(time)), random_(seed) {
    policy_.observe({.at = Instant{}, .steps = 0, .energy = {}});
  }
  void play(std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const double cost = curve_(clock());
      spent_ += cost;
      seconds_ += time_(clock());
      meter_ += Joules{cost * std::max(0.05, scatter_(random_))};
      ++steps_;
      policy_.observe({.at = Instant{seconds(seconds_)}, .steps = steps_, .energy = meter_});
    }
  }
  void becomes(Curve curve) { curve_ = std::move(curve); }
  /// So much over ten steps, instead of 1 %.
  void scatters(double share) { scatter_ = std::normal_distribution<double>(1, share * std::sqrt(10.0)); }
  [[nodiscard]] double spent() const { return spent_; }
  [[nodiscard]] double took() const { return seconds_; }
  [[nodiscard]] double clock() const { return policy_.goal() ? in_megahertz(*policy_.goal()) : 0; }

 private:
  AdaptivePolicy& policy_;
  Curve curve_;
  Curve time_;
  std::mt19937 random_;
  std::normal_distribution<double> scatter_{1, 0.01 * std::sqrt(10.0)};
  Joules meter_;
  double spent_ = 0;
  double seconds_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace sweetspot::tests
