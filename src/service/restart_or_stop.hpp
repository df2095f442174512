// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// Why systemd ends this process, and what it would keep of it. The environment of a stop and of a restart are the
/// same: only the unit's present job tells them apart.
struct ManagerIntent {
  bool restart = false;                ///< the unit is to be started again right after it is stopped
  std::uint32_t descriptors_free = 0;  ///< places left in the unit's file descriptor store
};

/// How long a healthy service manager may take to answer, with a package upgrade under way.
inline constexpr Duration manager_patience = std::chrono::seconds(2);

/// Asks systemd over the system bus for the job of the unit that this process belongs to. Blocks for `limit` at most.
/// No bus, no unit, no answer in time: an error, and whoever asks lets go of the clock.
[[nodiscard]] Result<ManagerIntent> ask_service_manager(Duration limit);

}  // namespace sweetspot
