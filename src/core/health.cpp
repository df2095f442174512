// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/health.hpp"

namespace sweetspot {

std::string_view name_of(HealthReason reason) {
  switch (reason) {
    case HealthReason::gpu_not_ready:
      return "gpu_not_ready";
    case HealthReason::clock:
      return "clock";
    case HealthReason::rival:
      return "rival";
    case HealthReason::throttled:
      return "throttled";
    case HealthReason::rails_missing:
      return "rails_missing";
    case HealthReason::sensor:
      return "sensor";
    case HealthReason::config:
      return "config";
    case HealthReason::history:
      return "history";
  }
  return {};
}

bool Health::raise(HealthReason reason, std::string detail, Instant now) {
  const auto [place, is_new] = troubles_.try_emplace(reason, Trouble{detail, now});
  if (is_new) return true;
  if (place->second.detail == detail) return false;
  place->second.detail = std::move(detail);
  return true;
}

bool Health::clear(HealthReason reason) {
  return troubles_.erase(reason) > 0;
}

}  // namespace sweetspot
