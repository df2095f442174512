// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sweetspot/load/arithmetic.hpp"

namespace sweetspot {

/// Where the number that lies at `place` token by token lies head by head (HeadLayout).
[[nodiscard]] constexpr std::size_t place_by_head(std::size_t place, const HeadLayout& layout) {
  const std::size_t in_head = place % layout.width;
  place /= layout.width;
  const std::size_t head = place % layout.heads;
  place /= layout.heads;
  const std::size_t part = place % layout.parts;
  place /= layout.parts;
  const std::size_t token = place % layout.tokens;
  const std::size_t entry = place / layout.tokens;
  return (((part * layout.batch + entry) * layout.heads + head) * layout.tokens + token) * layout.width + in_head;
}

}  // namespace sweetspot
