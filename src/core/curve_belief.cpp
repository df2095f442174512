// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/curve_belief.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweetspot {
namespace {

/// How a curve may depart from the physical form. Deviations are relative.
struct Departure {
  double weight;
  double smooth;  ///< deviation of a departure that neighbouring clocks share
  double reach;   ///< over how many e-folds of the clock they share it
  double single;  ///< deviation of a departure of one clock alone
  bool form_holds;
};

constexpr std::array<Departure, 5> departures{{
    {.weight = 0.35, .smooth = 0.002, .reach = 0.4, .single = 0.002, .form_holds = true},
    {.weight = 0.25, .smooth = 0.015, .reach = 0.35, .single = 0.004, .form_holds = true},
    {.weight = 0.15, .smooth = 0.05, .reach = 0.3, .single = 0.005, .form_holds = false},
    {.weight = 0.15, .smooth = 0.015, .reach = 0.3, .single = 0.015, .form_holds = false},
    {.weight = 0.10, .smooth = 0.10, .reach = 0.3, .single = 0.04, .form_holds = false},
}};

/// Nothing is known of what a step costs: a factor of e^3 either way around the first measurement.
constexpr double offset_deviation = 3;
/// Hypotheses below this share of belief are left out of the mixture.
constexpr double negligible = 1e-4;

/// The standard normal in equal parts would be biased inwards; these are the nodes and weights of Gauss-Hermite.
constexpr std::array<double, 5> nodes{-2.8569700138728, -1.3556261799743, 0, 1.3556261799743, 2.8569700138728};
constexpr std::array<double, 5> node_weights{0.0112574113277, 0.2220759220056, 0.5333333333333, 0.2220759220056,
                                             0.0112574113277};

std::vector<double> logs_of_clocks(const Arms& arms) {
  std::vector<double> logs;
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    logs.push_back(std::log(in_megahertz(arms.clock(arm).value_or(arms.clocks.back()))));
  return logs;
}

std::vector<double> covariance_under(const Departure& departure, const CurvePrior& prior) {
  const std::vector<double> logs = logs_of_clocks(prior.arms);
  const std::size_t n = logs.size();
  std::vector<double> covariance = prior.covariance;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double apart = (logs[i] - logs[j]) / departure.reach;
      covariance[i * n + j] += offset_deviation * offset_deviation +
                               departure.smooth * departure.smooth * std::exp(-0.5 * apart * apart) +
                               (i == j ? departure.single * departure.single : 0);
    }
  }
  return covariance;
}

}  // namespace

CurveBelief::CurveBelief(const CurvePrior& prior) : mean_at_first_(prior.mean) {
  for (const Departure& departure : departures) {
    const std::vector<double> covariance = covariance_under(departure, prior);
    hypotheses_.push_back({.form_holds = departure.form_holds,
                           .log_weight = std::log(departure.weight),
                           .mean = prior.mean,
                           .covariance = covariance,
                           .covariance_at_first = covariance});
  }
  mix();
}

void CurveBelief::Hypothesis::observe(std::size_t arm, double value, double variance) {
  const std::size_t n = mean.size();
  const double* row = &covariance[arm * n];
  const double total = row[arm] + variance;
  const double surprise = value - mean[arm];
  log_weight -= 0.5 * (surprise * surprise / total + std::log(total));
  const std::vector<double> column(row, row + n);
  for (std::size_t i = 0; i < n; ++i) {
    const double gain = column[i] / total;
    mean[i] += gain * surprise;
    double* to = &covariance[i * n];
    for (std::size_t j = 0; j < n; ++j) to[j] -= gain * column[j];
  }
}

void CurveBelief::observe(std::size_t arm, double log_energy, double variance) {
  for (Hypothesis& hypothesis : hypotheses_) hypothesis.observe(arm, log_energy, variance);
  mix();
}

void CurveBelief::start_anew() {
  for (Hypothesis& hypothesis : hypotheses_) {
    hypothesis.log_weight /= 2;
    hypothesis.mean = mean_at_first_;
    hypothesis.covariance = hypothesis.covariance_at_first;
  }
  mix();
}

void CurveBelief::mix() {
  double highest = hypotheses_.front().log_weight;
  for (const Hypothesis& hypothesis : hypotheses_) highest = std::max(highest, hypothesis.log_weight);
  double sum = 0;
  for (const Hypothesis& hypothesis : hypotheses_) sum += std::exp(hypothesis.log_weight - highest);
  for (Hypothesis& hypothesis : hypotheses_) hypothesis.log_weight -= highest + std::log(sum);
  const std::size_t n = hypotheses_.front().mean.size();
  mean_.assign(n, 0);
  covariance_.assign(n * n, 0);
  for (const Hypothesis& hypothesis : hypotheses_) {
    const double weight = std::exp(hypothesis.log_weight);
    for (std::size_t i = 0; i < n; ++i) mean_[i] += weight * hypothesis.mean[i];
  }
  std::vector<double> off(n);
  for (const Hypothesis& hypothesis : hypotheses_) {
    const double weight = std::exp(hypothesis.log_weight);
    if (weight < negligible) continue;
    for (std::size_t i = 0; i < n; ++i) off[i] = hypothesis.mean[i] - mean_[i];
    for (std::size_t i = 0; i < n; ++i) {
      const double* from = &hypothesis.covariance[i * n];
      double* to = &covariance_[i * n];
      for (std::size_t j = 0; j < n; ++j) to[j] += weight * (from[j] + off[i] * off[j]);
    }
  }
}

double CurveBelief::variance_between(std::size_t a, std::size_t b) const {
  return std::max(0.0, variance(a) + variance(b) - 2 * covariance_[a * arms() + b]);
}

std::size_t CurveBelief::best() const {
  return static_cast<std::size_t>(std::min_element(mean_.begin(), mean_.end()) - mean_.begin());
}

double CurveBelief::doubt_in_form() const {
  double doubt = 0;
  for (const Hypothesis& hypothesis : hypotheses_) doubt += hypothesis.form_holds ? 0 : std::exp(hypothesis.log_weight);
  return doubt;
}

std::vector<double> CurveBelief::worth_of_measuring(double variance) const {
  const std::size_t n = arms();
  const std::size_t reference = best();
  std::vector<double> scale(n), worth(n), least(n);
  for (std::size_t j = 0; j < n; ++j) scale[j] = 1 / std::sqrt(covariance_[j * n + j] + variance);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    std::fill(least.begin(), least.end(), 0);
    for (std::size_t i = 0; i < n; ++i) {
      // Relative to the best arm, so that the unknown offset common to all falls out.
      const double distance = mean_[i] - mean_[reference];
      const double* row = &covariance_[i * n];
      const double* base = &covariance_[reference * n];
      for (std::size_t j = 0; j < n; ++j) {
        const double moved = distance + (row[j] - base[j]) * scale[j] * nodes[node];
        least[j] = moved < least[j] ? moved : least[j];
      }
    }
    for (std::size_t j = 0; j < n; ++j) worth[j] -= node_weights[node] * least[j];
  }
  return worth;
}

}  // namespace sweetspot
