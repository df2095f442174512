// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sweetspot {

/// How far measurements of joules per step scatter, learned from parts of windows that should be equal. Independent of
/// any model of the curve. Starts at 1.5 % over ten steps with the weight of four measurements, so that a lucky pair
/// does not make it sure of itself.
class StepNoise {
 public:
  /// A window is measured part by part; open_window() begins another one.
  void open_window() { parts_ = 0; }
  /// Joules (or seconds) per step over so many steps. Values at or below 0 are left out.
  void add(double per_step, double steps);

  /// Variance of the logarithm of joules per step, measured over so many steps.
  [[nodiscard]] double variance(double steps) const { return sum_ / count_ / steps + floor; }

 private:
  static constexpr double prior_count = 3;
  static constexpr double prior = 10 * 0.02 * 0.02;  ///< of one step
  /// What longer windows do not cure: the rails' resolution and slow changes. 0.1 %.
  static constexpr double floor = 1e-6;
  double count_ = prior_count;
  double sum_ = prior_count * prior;
  int parts_ = 0;
  double mean_ = 0;  ///< of the logarithms in this window
  double steps_ = 0;
};

}  // namespace sweetspot
