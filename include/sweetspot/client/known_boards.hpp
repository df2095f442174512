// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A board's GPU clocks as its kernel lists them, for answers without the board. The board's own available_frequencies
/// is always right where the two differ: the maximum depends on the image that was flashed.
struct KnownBoard {
  std::string_view id;
  std::string_view model;
  std::span<const Hertz> clocks;
  std::string_view source;     ///< where the list is from
  std::string_view uncertain;  ///< what is not certain about it; empty: nothing known
};

/// In the order of their ids' documentation.
[[nodiscard]] std::span<const KnownBoard> known_boards();
/// Refuses an unknown id, naming those that exist.
[[nodiscard]] Result<KnownBoard> known_board(std::string_view id);
[[nodiscard]] FrequencyTable table_of(const KnownBoard& board);

}  // namespace sweetspot
