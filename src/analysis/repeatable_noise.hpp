// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace sweetspot {

/// Normal numbers that a seed determines, the same on every machine and with every standard library. SplitMix64
/// (Steele, Lea and Flood, 2014), by Marsaglia's polar method.
class RepeatableNoise {
 public:
  explicit RepeatableNoise(std::uint64_t seed) : state_(mixed(seed + 1)) {}

  /// Of mean 0 and deviation 1.
  double next() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double scale = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * scale;
    has_spare_ = true;
    return x * scale;
  }

 private:
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
  }
  /// At least 0 and below 1.
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<double>(mixed(state_) >> 11U) * 0x1p-53;
  }

  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace sweetspot
