// SPDX-License-Identifier: Apache-2.0
#include "platform/gpu_clock_fixture.hpp"

// A pin that one process left in force and another goes on with.
namespace sweetspot::tests {
namespace {

TEST(GpuClockResume, GoesOnWithAPinWithoutAWriteAndRestoresWhatWasFoundBeforeIt) {
  PinnedBoard board(DevfreqKernel::v5_10);
  {
    GpuClock before = board.clock();
    ASSERT_TRUE(before.pin(mhz(612), PinStyle::exact, board.now));
  }
  board.board.forget_writes();
  GpuClock clock = board.clock();
  EXPECT_EQ(clock.resume(board.later()), Result<bool>(true));
  const auto seen = clock.check(board.later());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->verdict, ClockVerdict::held);
  EXPECT_TRUE(board.board.writes().empty());
  ASSERT_TRUE(clock.release());
  EXPECT_EQ(board.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

TEST(GpuClockResume, AdoptsAPowerModeThatWasChangedInBetween) {
  PinnedBoard board(DevfreqKernel::v5_10);
  {
    GpuClock before = board.clock();
    ASSERT_TRUE(before.pin(mhz(816), PinStyle::exact, board.now));
  }
  board.board.set_mode(1);
  board.board.others_write(MemoryAttributes::lowest, mhz(408).value);
  GpuClock clock = board.clock();
  EXPECT_EQ(clock.resume(board.later()), Result<bool>(true));
  ASSERT_TRUE(clock.check(board.later()));
  ASSERT_TRUE(clock.release());
  EXPECT_EQ(board.shown(), (ClockLimits{mhz(306), mhz(408)}));
}

TEST(GpuClockResume, FindsNothingWhereNothingIsSaved) {
  PinnedBoard board(DevfreqKernel::v5_10);
  GpuClock clock = board.clock();
  EXPECT_EQ(clock.resume(board.now), Result<bool>(false));
  EXPECT_FALSE(clock.saved());
}

TEST(GpuClockResume, DoesNotTakeThePinOfAnotherNodeForItsOwn) {
  PinnedBoard board(DevfreqKernel::v5_10);
  SavedClock other{.boot_id = "boot-1",
                   .node = "/sys/devices/platform/gpu.0/devfreq/other.gpu",
                   .found = {mhz(306), mhz(1020)},
                   .last_target = mhz(612),
                   .governor = "nvhost_podgov"};
  ASSERT_TRUE(board.store.save(other));
  GpuClock clock = board.clock();
  EXPECT_EQ(clock.resume(board.now), Result<bool>(false));
}

}  // namespace
}  // namespace sweetspot::tests
