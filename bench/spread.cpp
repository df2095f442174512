// SPDX-License-Identifier: Apache-2.0
#include "bench/spread.hpp"

#include <algorithm>
#include <cmath>

namespace sweetspot::bench {

void Spread::add(Clock::duration time) {
  times_us_.push_back(std::chrono::duration<double, std::micro>(time).count());
}

double Spread::quantile(double share) const {
  if (times_us_.empty()) return 0;
  std::vector<double> sorted = times_us_;
  const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1;
  const auto wanted = sorted.begin() + std::max<std::ptrdiff_t>(rank, 0);
  std::nth_element(sorted.begin(), wanted, sorted.end());
  return *wanted;
}

}  // namespace sweetspot::bench
