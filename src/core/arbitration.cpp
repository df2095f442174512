// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/arbitration.hpp"

namespace sweetspot {
namespace {

bool goes_before(const ClockWish& a, const ClockWish& b, Arbitration rule) {
  switch (rule) {
    case Arbitration::highest:
      return *a.clock > *b.clock;
    case Arbitration::newest:
      return a.job_id > b.job_id;
    case Arbitration::lowest:
      return *a.clock < *b.clock;
  }
  return false;
}

}  // namespace

std::string_view name_of(Arbitration rule) {
  switch (rule) {
    case Arbitration::highest:
      return "highest";
    case Arbitration::newest:
      return "newest";
    case Arbitration::lowest:
      return "lowest";
  }
  return {};
}

std::optional<Arbitration> arbitration_named(std::string_view name) {
  for (const Arbitration rule : {Arbitration::highest, Arbitration::newest, Arbitration::lowest}) {
    if (name == name_of(rule)) return rule;
  }
  return std::nullopt;
}

std::optional<Hertz> arbitrate(std::span<const ClockWish> wishes, Arbitration rule) {
  const ClockWish* best = nullptr;
  for (const ClockWish& wish : wishes) {
    if (wish.clock && (!best || goes_before(wish, *best, rule))) best = &wish;
  }
  return best ? best->clock : std::nullopt;
}

}  // namespace sweetspot
