// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/clock_status.hpp"

namespace sweetspot {

std::string_view name_of(ClockCondition condition) {
  switch (condition) {
    case ClockCondition::released:
      return "released";
    case ClockCondition::pending:
      return "pending";
    case ClockCondition::pinned:
      return "pinned";
    case ClockCondition::capped:
      return "capped";
    case ClockCondition::not_obeyed:
      return "not_obeyed";
    case ClockCondition::lost:
      return "lost";
    case ClockCondition::waiting:
      return "waiting";
    case ClockCondition::failing:
      return "failing";
    case ClockCondition::gave_up:
      return "gave_up";
    case ClockCondition::blocked:
      return "blocked";
    case ClockCondition::no_gpu:
      return "no_gpu";
  }
  return {};
}

}  // namespace sweetspot
