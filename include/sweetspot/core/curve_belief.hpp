// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sweetspot/core/curve_prior.hpp"

namespace sweetspot {

/// What is believed of a job's joules per step at every arm, as logarithms: a normal distribution.
///
/// Behind it stand several hypotheses of how far the curve departs from the physical form: not at all, smoothly by some
/// per cent, or clock by clock (spikes). Each is a Gaussian process that takes up the measurements; how well each
/// foresaw them is its weight. So a board that the form does not fit is noticed by its own measurements, and from then
/// on its departure is learned.
///
/// Memory and time of an update: arms² times the number of hypotheses, some microseconds for 60 clocks.
class CurveBelief {
 public:
  explicit CurveBelief(const CurvePrior& prior);

  /// Takes up that a step at this arm costs exp(`log_energy`), with the variance of that logarithm.
  void observe(std::size_t arm, double log_energy, double variance);

  /// The job has become another one: forgets its curve. How well the form holds on this board is kept by half.
  void start_anew();

  [[nodiscard]] std::size_t arms() const { return mean_.size(); }
  [[nodiscard]] double mean(std::size_t arm) const { return mean_[arm]; }
  [[nodiscard]] double variance(std::size_t arm) const { return covariance_[arm * arms() + arm]; }
  /// Variance of the difference of two arms, in which what they have in common falls out.
  [[nodiscard]] double variance_between(std::size_t a, std::size_t b) const;
  /// The arm with the least mean.
  [[nodiscard]] std::size_t best() const;
  /// Share of belief in hypotheses under which the physical form does not hold.
  [[nodiscard]] double doubt_in_form() const;

  /// For every arm: by how much the least mean is expected to fall when that arm is measured with this variance.
  [[nodiscard]] std::vector<double> worth_of_measuring(double variance) const;

 private:
  struct Hypothesis {
    bool form_holds = true;
    double log_weight = 0;
    std::vector<double> mean;
    std::vector<double> covariance;
    std::vector<double> covariance_at_first;  ///< before anything was measured
    void observe(std::size_t arm, double value, double variance);
  };
  void mix();

  std::vector<Hypothesis> hypotheses_;
  std::vector<double> mean_at_first_;
  std::vector<double> mean_;        ///< of the mixture
  std::vector<double> covariance_;  ///< of the mixture
};

}  // namespace sweetspot
