// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "simulator/plant.hpp"

namespace sweetspot {

namespace {
// The slowest sensor setting averages 1024 conversions of 6.6 ms: 6.8 s.
constexpr Duration kept = std::chrono::seconds(15);
}  // namespace

void PowerHistory::record(PowerChange change) {
  changes_.push_back(change);
  while (changes_.size() > 2 && changes_[1].at < change.at - kept) changes_.pop_front();
}

PartEnergy PowerHistory::used_at(Instant at) const {
  auto later = std::upper_bound(changes_.begin(), changes_.end(), at,
                                [](Instant t, const PowerChange& change) { return t < change.at; });
  const PowerChange& change = later == changes_.begin() ? *later : *std::prev(later);
  return change.used + change.power.scaled(in_seconds(at - change.at));
}

PartPower PowerHistory::mean(Instant from, Instant to) const {
  return (used_at(to) + used_at(from).scaled(-1)).scaled(1 / in_seconds(to - from));
}

}  // namespace sweetspot
