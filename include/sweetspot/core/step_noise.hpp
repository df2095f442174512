// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sweetspot {

/// How far measurements of joules per step scatter, learned from halves of windows that should be equal. Independent of
/// any model of the curve. Starts at 1.5 % over ten steps with the weight of four measurements, so that a lucky pair
/// does not make it sure of itself.
class StepNoise {
 public:
  /// Two halves of one window at one clock: joules per step and steps of each. Values at or below 0 are left out.
  void compare(double first, double first_steps, double second, double second_steps);

  /// Variance of the logarithm of joules per step, measured over so many steps.
  [[nodiscard]] double variance(double steps) const { return sum_ / count_ / steps + floor; }

 private:
  static constexpr double prior_count = 4;
  static constexpr double prior = 10 * 0.015 * 0.015;  ///< of one step
  /// What longer windows do not cure: the rails' resolution and slow changes. 0.1 %.
  static constexpr double floor = 1e-6;
  double count_ = prior_count;
  double sum_ = prior_count * prior;
};

}  // namespace sweetspot
