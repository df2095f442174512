// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sweetspot {

/// The same numbers on every machine, which the standard's distributions do not promise: splitmix64 (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators").
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }

  /// Uniform, with mean 0 and this standard deviation.
  template <class Real>
  [[nodiscard]] std::vector<Real> around_zero(std::size_t count, double deviation) {
    const double half_width = deviation * std::sqrt(3.0);
    std::vector<Real> numbers(count);
    for (Real& number : numbers) {
      const double from_0_to_1 = static_cast<double>(next() >> 11U) * 0x1p-53;
      number = static_cast<Real>(half_width * (2 * from_0_to_1 - 1));
    }
    return numbers;
  }

  /// A 1 in every row, the rest 0.
  template <class Real>
  [[nodiscard]] std::vector<Real> one_of_each_row(std::size_t rows, std::size_t columns) {
    std::vector<Real> numbers(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) numbers[row * columns + next() % columns] = Real(1);
    return numbers;
  }

 private:
  std::uint64_t state_;
};

}  // namespace sweetspot
