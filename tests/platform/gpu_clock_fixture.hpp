// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "tests/support/memory_attributes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {

/// What the files of a devfreq node hold for so many MHz.
constexpr std::uint64_t hz(std::uint64_t mhz_value) {
  return mhz_value * 1000000;
}

constexpr Hertz mhz(std::uint64_t value) {
  return Hertz{value * 1000000};
}

/// A GPU in memory, the clock over it, and a clock of seconds that the test moves.
struct PinnedBoard {
  explicit PinnedBoard(DevfreqKernel kernel) : board(kernel) {}

  [[nodiscard]] GpuClock clock() { return GpuClock(board, find_gpu(board, {}).value(), store); }
  Instant later(Duration time = std::chrono::seconds(1)) { return now += time; }
  [[nodiscard]] ClockLimits shown() const { return {Hertz{board.shown_min()}, Hertz{board.shown_max()}}; }

  TemporaryFolder folder;
  MemoryAttributes board;
  SavedClockStore store{folder.path() + "/run", "boot-1"};
  Instant now{std::chrono::hours(1)};
  int crash_at = -1;
  bool crash_after = false;
};

}  // namespace sweetspot::tests
