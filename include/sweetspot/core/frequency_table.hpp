// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The clocks a GPU can be pinned to (devfreq's available_frequencies). Invariant: not empty, ascending, no duplicates.
/// Steps are irregular (the last one nearly always), so nothing is ever computed, only looked up.
class FrequencyTable {
 public:
  /// Sorts and removes duplicates. Refuses an empty list and zero.
  [[nodiscard]] static Result<FrequencyTable> from(std::vector<Hertz> clocks);

  [[nodiscard]] std::span<const Hertz> clocks() const { return clocks_; }
  [[nodiscard]] Hertz lowest() const { return clocks_.front(); }
  [[nodiscard]] Hertz highest() const { return clocks_.back(); }
  [[nodiscard]] bool contains(Hertz clock) const;
  /// The entry nearest to `wanted`; of two equally near ones the lower, which costs less power.
  [[nodiscard]] Hertz nearest(Hertz wanted) const;
  /// The highest entry not above `limit`; empty when even the lowest is above it.
  [[nodiscard]] std::optional<Hertz> highest_within(Hertz limit) const;

  friend bool operator==(const FrequencyTable&, const FrequencyTable&) = default;

 private:
  explicit FrequencyTable(std::vector<Hertz> clocks) : clocks_(std::move(clocks)) {}
  std::vector<Hertz> clocks_;
};

}  // namespace sweetspot
