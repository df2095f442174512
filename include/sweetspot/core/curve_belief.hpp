// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sweetspot/core/curve_prior.hpp"

namespace sweetspot {

/// What is believed of a quantity per step (joules, seconds) at every arm, as logarithms: mean and covariance.
///
/// Behind it stand hypotheses: of which kind the curve is, and how far it departs from the physical form: hardly,
/// smoothly by some per cent, or clock by clock (spikes). Each is a Gaussian process that takes up the measurements;
/// how well each foresaw them is its weight. So a board that the form does not fit is noticed by its own measurements,
/// and from then on its departure is learned.
///
/// Memory and time of an update: arms² times the number of hypotheses; nothing is allocated after the constructor.
class CurveBelief {
 public:
  CurveBelief(const Arms& arms, std::span<const CurveFamily> families);
  explicit CurveBelief(const CurvePrior& prior) : CurveBelief(prior.arms, prior.families) {}

  /// Takes up that a step at this arm costs exp(`log_value`), with the variance of that logarithm.
  void observe(std::size_t arm, double log_value, double variance);

  /// The job has become another one: forgets its curve. How well the form holds on this board is kept by half.
  void start_anew();

  [[nodiscard]] std::size_t arms() const { return mean_.size(); }
  [[nodiscard]] double mean(std::size_t arm) const { return mean_[arm]; }
  [[nodiscard]] double variance(std::size_t arm) const { return covariance(arm, arm); }
  [[nodiscard]] double covariance(std::size_t a, std::size_t b) const;
  /// Variance of the difference of two arms, in which what they have in common falls out.
  [[nodiscard]] double variance_between(std::size_t a, std::size_t b) const;
  /// The arm with the least mean.
  [[nodiscard]] std::size_t best() const;
  /// Share of belief in hypotheses under which the physical form does not hold.
  [[nodiscard]] double doubt_in_form() const;

  /// Covariances of one arm with all.
  void row(std::size_t arm, std::vector<double>& into) const;

 private:
  struct Hypothesis {
    bool form_holds = true;
    double log_weight = 0;
    double weight = 0;
    std::vector<double> mean;
    std::vector<double> covariance;  ///< row by row; kept up to the diagonal only
    std::vector<double> off;         ///< its mean less that of the mixture
    double log_weight_at_first = 0;
    std::vector<double> mean_at_first;  ///< before anything was measured
    std::vector<double> covariance_at_first;

    [[nodiscard]] double at(std::size_t a, std::size_t b) const {
      return a > b ? covariance[a * mean.size() + b] : covariance[b * mean.size() + a];
    }
    void observe(std::size_t arm, double value, double variance, std::vector<double>& column);
  };
  void mix();

  std::vector<Hypothesis> hypotheses_;
  std::vector<double> mean_;  ///< of the mixture
  std::vector<double> column_;
};

}  // namespace sweetspot
