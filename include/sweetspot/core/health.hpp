// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What can be wrong while the daemon goes on. Each is entered and left on its own; both are events.
enum class HealthReason { gpu_not_ready, clock, rival, throttled, rails_missing, sensor, config, history };
[[nodiscard]] std::string_view name_of(HealthReason reason);

/// Why the daemon is not at its best: a map, so that one trouble does not hide another. Empty means well.
class Health {
 public:
  struct Trouble {
    std::string detail;  ///< the thing, the value, the fix
    Instant since;
  };
  /// True when the reason is new or its words changed (then it is worth an event).
  bool raise(HealthReason reason, std::string detail, Instant now);
  /// True when there was something to clear.
  bool clear(HealthReason reason);
  [[nodiscard]] const std::map<HealthReason, Trouble>& troubles() const { return troubles_; }
  [[nodiscard]] bool well() const { return troubles_.empty(); }

 private:
  std::map<HealthReason, Trouble> troubles_;
};

}  // namespace sweetspot
