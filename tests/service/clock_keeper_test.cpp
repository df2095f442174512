// SPDX-License-Identifier: Apache-2.0
#include "service/clock_keeper.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/support/memory_attributes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

constexpr Hertz goal = megahertz(612);

/// A keeper over a board in memory, and a clock that the test moves.
struct KeptClock {
  explicit KeptClock(ClockSettings wanted = {}) : keeper(board, store, std::move(wanted)) { keeper.look(now); }

  /// Lets the next due action happen.
  void run_to_due() {
    ASSERT_TRUE(keeper.due());
    now = std::max(now, *keeper.due());
    keeper.act(now);
  }
  [[nodiscard]] std::vector<ClockCondition> conditions() {
    std::vector<ClockCondition> seen;
    for (const ClockStatus& report : keeper.take_reports()) {
      seen.push_back(report.condition);
      last = report;
    }
    return seen;
  }

  TemporaryFolder folder;
  MemoryAttributes board{DevfreqKernel::v5_10};
  SavedClockStore store{folder.path() + "/run", "boot-1"};
  Instant now{std::chrono::hours(1)};
  ClockKeeper keeper;
  ClockStatus last;
};

using Conditions = std::vector<ClockCondition>;

TEST(ClockKeeper, LeavesAClockAloneThatNobodyWants) {
  KeptClock clock;
  EXPECT_EQ(clock.conditions(), Conditions{ClockCondition::released});
  EXPECT_TRUE(clock.board.writes().empty());
  EXPECT_EQ(clock.keeper.due(), std::nullopt);
}

TEST(ClockKeeper, PinsAndGivesBackWithoutATimerInBetween) {
  KeptClock clock;
  clock.keeper.want(goal, clock.now);
  EXPECT_EQ(clock.board.requested_min(), goal.value);
  EXPECT_EQ(clock.board.requested_max(), goal.value);
  clock.keeper.want(std::nullopt, clock.now);
  EXPECT_EQ(clock.board.requested_min(), MemoryAttributes::lowest);
  EXPECT_EQ(clock.board.requested_max(), MemoryAttributes::highest);
  EXPECT_EQ(clock.conditions(),
            (Conditions{ClockCondition::released, ClockCondition::pinned, ClockCondition::released}));
  EXPECT_EQ(clock.keeper.due(), std::nullopt);
}

TEST(ClockKeeper, TriesARefusedWriteAgainAfterOneTwoAndFourSecondsThenLetsGo) {
  KeptClock clock({.attempts = 4});
  clock.board.fail_writes("max_freq", EIO, 100);
  const Instant start = clock.now;
  clock.keeper.want(goal, clock.now);
  std::vector<Duration> tries;
  while (clock.keeper.due() && tries.size() < 3) {
    clock.run_to_due();
    tries.push_back(clock.now - start);
  }
  EXPECT_EQ(tries, (std::vector<Duration>{seconds(1), seconds(3), seconds(7)}));
  EXPECT_EQ(clock.conditions().back(), ClockCondition::gave_up);
  EXPECT_NE(clock.last.detail.find("max_freq"), std::string::npos) << clock.last.detail;
}

TEST(ClockKeeper, PinsAfterAllWhenTheRefusalsEnd) {
  KeptClock clock;
  clock.board.fail_writes("max_freq", EBUSY, 2);
  clock.keeper.want(goal, clock.now);
  EXPECT_EQ(clock.conditions().back(), ClockCondition::failing);
  while (clock.conditions() != Conditions{ClockCondition::pinned}) clock.run_to_due();
  EXPECT_EQ(clock.board.requested_max(), goal.value);
}

TEST(ClockKeeper, WaitsForRightsThatUdevHasNotGivenYet) {
  KeptClock clock;
  clock.board.fail_writes("min_freq", EACCES, 3);
  const Instant start = clock.now;
  clock.keeper.want(goal, clock.now);
  (void)clock.conditions();
  EXPECT_EQ(clock.last.condition, ClockCondition::pending);
  for (int tries = 0; tries < 3; ++tries) clock.run_to_due();
  (void)clock.conditions();
  EXPECT_EQ(clock.last.condition, ClockCondition::pinned) << clock.last.detail;
  EXPECT_LT(clock.now - start, seconds(1));
}

TEST(ClockKeeper, NamesTheFixWhenTheRightsDoNotCome) {
  KeptClock clock;
  clock.board.fail_writes("min_freq", EACCES, 1000);
  clock.keeper.want(goal, clock.now);
  for (int tries = 0; tries < 100 && clock.keeper.due(); ++tries) clock.run_to_due();
  EXPECT_EQ(clock.conditions().back(), ClockCondition::gave_up);
  EXPECT_NE(clock.last.detail.find("--grant-access sweetspot"), std::string::npos) << clock.last.detail;
}

TEST(ClockKeeper, SaysThatSysIsReadOnly) {
  KeptClock clock;
  clock.board.fail_writes("min_freq", EROFS, 1000);
  clock.keeper.want(goal, clock.now);
  EXPECT_EQ(clock.conditions().back(), ClockCondition::failing);
  EXPECT_NE(clock.last.detail.find("mounted writable"), std::string::npos) << clock.last.detail;
}

TEST(ClockKeeper, ReportsARivalAndPinsAnewButNotInALoop) {
  KeptClock clock({.repins_per_minute = 2});
  clock.keeper.want(goal, clock.now);
  (void)clock.conditions();
  int repins = 0;
  for (const Instant end = clock.now + seconds(45); clock.now < end;) {
    clock.board.others_write(MemoryAttributes::lowest, 1020000000);
    clock.run_to_due();
    for (const ClockCondition condition : clock.conditions()) repins += condition == ClockCondition::pinned;
  }
  EXPECT_EQ(repins, 2);
  EXPECT_EQ(clock.last.condition, ClockCondition::lost);
}

TEST(ClockKeeper, PinsWithinTheCapOfANewPowerMode) {
  KeptClock clock;
  clock.keeper.want(megahertz(816), clock.now);
  clock.board.set_mode(2);
  clock.board.others_write_min(0);
  clock.board.others_write_max(408000000);
  for (int look = 0; look < 3 && clock.board.requested_max() != clock.board.requested_min(); ++look) clock.run_to_due();
  EXPECT_EQ(clock.board.requested_max(), 408000000U);
  ASSERT_TRUE(clock.keeper.view().clocks);
  EXPECT_EQ(clock.keeper.view().clocks->cap, megahertz(408));
  clock.keeper.want(std::nullopt, clock.now);
  EXPECT_EQ(clock.board.requested_max(), 408000000U);
  EXPECT_EQ(clock.board.requested_min(), MemoryAttributes::lowest);
}

TEST(ClockKeeper, DoesNotWriteAgainstAThermalCap) {
  KeptClock clock;
  clock.keeper.want(goal, clock.now);
  clock.board.set_thermal_cap(408000000);
  clock.board.forget_writes();
  clock.run_to_due();
  EXPECT_EQ(clock.conditions().back(), ClockCondition::capped);
  EXPECT_EQ(clock.last.applied, megahertz(408));
  clock.board.clear_thermal_cap();
  clock.run_to_due();
  EXPECT_EQ(clock.conditions().back(), ClockCondition::pinned);
  EXPECT_TRUE(clock.board.writes().empty());
}

TEST(ClockKeeper, WaitsWithTheFirstPinWhileACoolingDeviceHidesTheLimits) {
  KeptClock clock;
  clock.board.set_thermal_cap(714000000);
  clock.keeper.want(goal, clock.now);
  EXPECT_EQ(clock.conditions().back(), ClockCondition::waiting);
  EXPECT_TRUE(clock.board.writes().empty());
  clock.board.clear_thermal_cap();
  clock.run_to_due();
  EXPECT_EQ(clock.conditions().back(), ClockCondition::pinned);
}

TEST(ClockKeeper, AnswersEveryGoalEvenIfNothingChanges) {
  KeptClock clock;
  for (int i = 0; i < 2; ++i) {
    clock.keeper.want(goal, clock.now);
    EXPECT_EQ(clock.conditions().back(), ClockCondition::pinned);
  }
}

TEST(ClockKeeper, TriesAgainToGiveBackWhatAPredecessorLeftPinned) {
  KeptClock predecessor;
  predecessor.keeper.want(goal, predecessor.now);
  MemoryAttributes& board = predecessor.board;
  ClockKeeper next(board, predecessor.store, {});
  board.fail_writes("max_freq", EIO);
  EXPECT_TRUE(next.restore_leftover(predecessor.now).empty());
  next.look(predecessor.now);
  EXPECT_EQ(next.take_reports().back().condition, ClockCondition::failing);
  EXPECT_EQ(board.requested_max(), goal.value);
  ASSERT_TRUE(next.due());
  next.act(*next.due());
  EXPECT_EQ(board.requested_max(), MemoryAttributes::highest);
  EXPECT_EQ(board.requested_min(), MemoryAttributes::lowest);
  EXPECT_FALSE(next.take_restored().empty());
  EXPECT_EQ(next.take_reports().back().condition, ClockCondition::released);
}

TEST(ClockKeeper, WritesNothingInADryRun) {
  KeptClock clock({.dry_run = true});
  clock.keeper.want(goal, clock.now);
  EXPECT_TRUE(clock.board.writes().empty());
  (void)clock.conditions();
  EXPECT_EQ(clock.last.detail, "dry run: would pin 612 MHz");
}

}  // namespace
}  // namespace sweetspot::tests
