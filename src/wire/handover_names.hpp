// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sweetspot/core/job.hpp"

namespace sweetspot {

inline constexpr std::string_view handover_format = "sweetspot-handover";
/// Goes up when a field changes its meaning or one that readers need is added. History: 1, the first.
inline constexpr std::int64_t handover_version = 1;

/// The word for a phase in the hand-over.
[[nodiscard]] constexpr std::string_view name_of(LoadWindow::Phase phase) {
  switch (phase) {
    case LoadWindow::Phase::off:
      return "off";
    case LoadWindow::Phase::waiting_for_pin:
      return "waiting_for_pin";
    case LoadWindow::Phase::settling:
      return "settling";
    case LoadWindow::Phase::measuring:
      return "measuring";
    case LoadWindow::Phase::decided:
      return "decided";
  }
  return {};
}

}  // namespace sweetspot
