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

std::vector<double> logs_of_clocks(const Arms& arms) {
  std::vector<double> logs;
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    logs.push_back(std::log(in_megahertz(arms.clock(arm).value_or(arms.clocks.back()))));
  return logs;
}

std::vector<double> covariance_under(const Departure& departure, const Arms& arms, const CurveFamily& family) {
  const std::vector<double> logs = logs_of_clocks(arms);
  const std::size_t n = logs.size();
  std::vector<double> covariance = family.covariance;
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

CurveFamily mixture_of(std::span<const CurveFamily> families) {
  const std::size_t n = families.front().mean.size();
  CurveFamily all{.weight = 1, .mean = std::vector<double>(n), .covariance = std::vector<double>(n * n)};
  for (const CurveFamily& family : families)
    for (std::size_t i = 0; i < n; ++i) all.mean[i] += family.weight * family.mean[i];
  for (const CurveFamily& family : families) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        all.covariance[i * n + j] += family.weight * (family.covariance[i * n + j] +
                                                      (family.mean[i] - all.mean[i]) * (family.mean[j] - all.mean[j]));
    }
  }
  return all;
}

}  // namespace

CurveBelief::CurveBelief(const Arms& arms, std::span<const CurveFamily> families)
    : mean_(arms.size()), column_(arms.size()) {
  // Where the form does not hold, of which kind the curve is says little.
  const CurveFamily all = mixture_of(families);
  for (const Departure& departure : departures) {
    for (const CurveFamily& family : departure.form_holds ? families : std::span(&all, 1)) {
      const std::vector<double> covariance = covariance_under(departure, arms, family);
      const double log_weight = std::log(departure.weight * family.weight);
      hypotheses_.push_back({.form_holds = departure.form_holds,
                             .log_weight = log_weight,
                             .mean = family.mean,
                             .covariance = covariance,
                             .off = std::vector<double>(arms.size()),
                             .log_weight_at_first = log_weight,
                             .mean_at_first = family.mean,
                             .covariance_at_first = covariance});
    }
  }
  mix();
}

void CurveBelief::Hypothesis::observe(std::size_t arm, double value, double variance, std::vector<double>& column) {
  const std::size_t n = mean.size();
  for (std::size_t i = 0; i < n; ++i) column[i] = at(arm, i);
  const double total = column[arm] + variance;
  const double surprise = value - mean[arm];
  log_weight -= 0.5 * (surprise * surprise / total + std::log(total));
  for (std::size_t i = 0; i < n; ++i) {
    const double gain = column[i] / total;
    mean[i] += gain * surprise;
    double* to = &covariance[i * n];
    for (std::size_t j = 0; j <= i; ++j) to[j] -= gain * column[j];
  }
}

void CurveBelief::observe(std::size_t arm, double log_value, double variance) {
  for (Hypothesis& hypothesis : hypotheses_) hypothesis.observe(arm, log_value, variance, column_);
  mix();
}

void CurveBelief::start_anew() {
  for (Hypothesis& hypothesis : hypotheses_) {
    hypothesis.log_weight = (hypothesis.log_weight + hypothesis.log_weight_at_first) / 2;
    hypothesis.mean = hypothesis.mean_at_first;
    hypothesis.covariance = hypothesis.covariance_at_first;
  }
  mix();
}

void CurveBelief::mix() {
  double highest = hypotheses_.front().log_weight;
  for (const Hypothesis& hypothesis : hypotheses_) highest = std::max(highest, hypothesis.log_weight);
  double sum = 0;
  for (Hypothesis& hypothesis : hypotheses_) {
    hypothesis.log_weight -= highest;
    hypothesis.weight = std::exp(hypothesis.log_weight);
    if (hypothesis.weight < negligible) hypothesis.weight = 0;
    sum += hypothesis.weight;
  }
  const std::size_t n = mean_.size();
  std::fill(mean_.begin(), mean_.end(), 0);
  for (Hypothesis& hypothesis : hypotheses_) {
    hypothesis.weight /= sum;
    if (hypothesis.weight == 0) continue;
    for (std::size_t i = 0; i < n; ++i) mean_[i] += hypothesis.weight * hypothesis.mean[i];
  }
  for (Hypothesis& hypothesis : hypotheses_) {
    if (hypothesis.weight == 0) continue;
    for (std::size_t i = 0; i < n; ++i) hypothesis.off[i] = hypothesis.mean[i] - mean_[i];
  }
}

double CurveBelief::covariance(std::size_t a, std::size_t b) const {
  double sum = 0;
  for (const Hypothesis& hypothesis : hypotheses_)
    if (hypothesis.weight > 0) sum += hypothesis.weight * (hypothesis.at(a, b) + hypothesis.off[a] * hypothesis.off[b]);
  return sum;
}

double CurveBelief::variance_between(std::size_t a, std::size_t b) const {
  return std::max(0.0, covariance(a, a) + covariance(b, b) - 2 * covariance(a, b));
}

void CurveBelief::row(std::size_t arm, std::vector<double>& into) const {
  const std::size_t n = arms();
  into.assign(n, 0);
  for (const Hypothesis& hypothesis : hypotheses_) {
    if (hypothesis.weight == 0) continue;
    const double of_arm = hypothesis.weight * hypothesis.off[arm];
    const double* before = &hypothesis.covariance[arm * n];
    for (std::size_t i = 0; i <= arm; ++i) into[i] += hypothesis.weight * before[i] + of_arm * hypothesis.off[i];
    for (std::size_t i = arm + 1; i < n; ++i)
      into[i] += hypothesis.weight * hypothesis.covariance[i * n + arm] + of_arm * hypothesis.off[i];
  }
}

std::size_t CurveBelief::best() const {
  return static_cast<std::size_t>(std::min_element(mean_.begin(), mean_.end()) - mean_.begin());
}

double CurveBelief::doubt_in_form() const {
  double doubt = 0;
  for (const Hypothesis& hypothesis : hypotheses_) doubt += hypothesis.form_holds ? 0 : hypothesis.weight;
  return doubt;
}

}  // namespace sweetspot
