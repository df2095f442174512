// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <stdexcept>

#include "bench/measurements.hpp"
#include "bench/spread.hpp"
#include "sweetspot/core/adaptive_policy.hpp"

namespace sweetspot::bench {
namespace {

constexpr int windows = 100;  ///< of a job
constexpr std::int64_t steps_of_window = 10;
/// Hypotheses behind the policy's belief: what it must update, whatever it does besides.
constexpr int beliefs = 9;
constexpr double aim_us = 20;

FrequencyTable grid(int clocks) {
  std::vector<Hertz> hertz;
  hertz.reserve(static_cast<std::size_t>(clocks));
  for (int i = 0; i < clocks; ++i) hertz.push_back(megahertz(300 + 1000.0 * i / (clocks - 1)));
  auto table = FrequencyTable::from(std::move(hertz));
  if (!table) throw std::runtime_error(table.error().message);
  return *table;
}

double measured_steps(const AdaptivePolicy& policy) {
  double sum = 0;
  for (const ArmUse& use : policy.uses()) sum += use.measured_steps;
  return sum;
}

/// Only readings that ended a window are counted; after a change of clock one just begins it.
Spread decisions_on(int clocks, int jobs) {
  const CurvePrior prior = CurvePrior::on(grid(clocks), megahertz(600), true);
  const AdaptiveSettings settings{.window_steps = steps_of_window, .window = seconds(1), .settle = seconds(0)};
  Spread spread;
  for (int job = 0; job < jobs; ++job) {
    AdaptivePolicy policy(prior, steps_of_window * windows, settings);
    std::mt19937 random(static_cast<unsigned>(job));
    std::normal_distribution<double> scatter(1, 0.01);
    MeteredProgress reading;
    policy.observe(reading);
    for (int i = 1; i <= windows; ++i) {
      const double mhz = policy.goal() ? in_megahertz(*policy.goal()) : 1300;
      reading.at += seconds(10);
      reading.steps += steps_of_window;
      reading.energy += Joules{10 * (20 + 30'000 / mhz + 50e-6 * mhz * mhz) * scatter(random)};
      const double before = measured_steps(policy);
      const auto began = Clock::now();
      policy.observe(reading);
      const auto time = Clock::now() - began;
      if (measured_steps(policy) > before) spread.add(time);
    }
  }
  return spread;
}

/// The same covariances, each brought up to date once by the textbook's two loops.
Spread bare_updates(std::size_t arms, int runs) {
  std::vector<double> covariances(beliefs * arms * arms, 0.01);
  std::vector<double> column(arms);
  Spread spread;
  for (int run = 0; run < runs; ++run) {
    time_into(spread, [&] {
      for (std::size_t belief = 0; belief < beliefs; ++belief) {
        double* covariance = &covariances[belief * arms * arms];
        for (std::size_t i = 0; i < arms; ++i) column[i] = covariance[i];
        const double total = column[0] + 1;
        for (std::size_t i = 0; i < arms; ++i) {
          const double gain = column[i] / total;
          for (std::size_t j = 0; j < arms; ++j) covariance[i * arms + j] -= gain * column[j];
        }
      }
    });
  }
  if (!(covariances[0] > 0)) throw std::runtime_error("no covariance is left");
  return spread;
}

}  // namespace

std::vector<Row> measure_adaptive(const Effort& effort) {
  const int jobs = 1 + effort.decisions / 10'000;
  const Spread few = decisions_on(13, jobs);
  const Spread many = decisions_on(60, jobs);
  const Spread bare = bare_updates(61, jobs * windows);
  return {{"adaptive decision on 13 clocks", "us", few.median(), {}, aim_us},
          {"adaptive decision on 60 clocks", "us", many.median(), {}, aim_us},
          {"the same / nine bare updates of a covariance", "us", many.median(), bare.median(), {}}};
}

}  // namespace sweetspot::bench
