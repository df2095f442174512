// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>

#include "service/clock_keeper.hpp"
#include "tests/support/memory_attributes.hpp"
#include "tests/support/temporary_folder.hpp"

// A keeper that goes on with the pin of the one before it.
namespace sweetspot::tests {
namespace {

constexpr Hertz kept = megahertz(612);

/// A board that a predecessor has left pinned, and a keeper that is about to begin.
struct HandedOverClock {
  explicit HandedOverClock(ClockSettings settings = {}) : keeper(board, store, settings) {
    ClockKeeper before(board, store, settings);
    before.look(now);
    before.want(kept, now);
    board.forget_writes();
    now += seconds(3);
  }
  TemporaryFolder folder;
  MemoryAttributes board{DevfreqKernel::v5_10};
  SavedClockStore store{folder.path() + "/run", "boot-1"};
  Instant now{std::chrono::hours(1)};
  ClockKeeper keeper;
};

TEST(ClockKeeperResume, ReportsAPinThatIsStillInForceWithoutAWrite) {
  HandedOverClock clock;
  clock.keeper.resume(kept, clock.now);
  const auto reports = clock.keeper.take_reports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].condition, ClockCondition::pinned);
  EXPECT_EQ(reports[0].applied, kept);
  EXPECT_EQ(reports[0].held_until, std::nullopt) << "held all the time";
  EXPECT_TRUE(clock.board.writes().empty());
  EXPECT_EQ(clock.keeper.view().clocks->cap, Hertz{MemoryAttributes::highest}) << "not the pin that hides it";
  ASSERT_TRUE(clock.keeper.due()) << "it is checked from now on";
  clock.keeper.want(std::nullopt, clock.now);
  EXPECT_EQ(clock.board.requested_max(), MemoryAttributes::highest);
  EXPECT_EQ(clock.board.requested_min(), MemoryAttributes::lowest);
}

TEST(ClockKeeperResume, PinsAnewWhatWasGivenBackMeanwhileAndCountsNoTimeForIt) {
  HandedOverClock clock;
  ASSERT_TRUE(restore_saved_clock(clock.board, clock.store));
  clock.keeper.resume(kept, clock.now);
  const auto reports = clock.keeper.take_reports();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].condition, ClockCondition::pending);
  EXPECT_EQ(reports[0].held_until, Instant{});
  EXPECT_EQ(reports[1].condition, ClockCondition::pinned);
  EXPECT_EQ(clock.board.requested_max(), kept.value);
  EXPECT_FALSE(clock.keeper.take_notes().empty());
}

TEST(ClockKeeperResume, PinsForAnotherGoalAndStillRestoresWhatWasFound) {
  HandedOverClock clock;
  clock.keeper.resume(megahertz(816), clock.now);
  EXPECT_EQ(clock.board.requested_max(), megahertz(816).value);
  clock.keeper.want(std::nullopt, clock.now);
  EXPECT_EQ(clock.board.requested_max(), MemoryAttributes::highest);
}

TEST(ClockKeeperResume, PinsAnewWhereAPinWasHalfWritten) {
  HandedOverClock clock;
  SavedClock saved = clock.store.load().value().value();
  saved.next_target = megahertz(816);
  ASSERT_TRUE(clock.store.save(saved));
  clock.board.others_write_max(megahertz(816).value);
  clock.keeper.resume(kept, clock.now);
  EXPECT_EQ(clock.board.requested_min(), kept.value);
  EXPECT_EQ(clock.board.requested_max(), kept.value);
}

TEST(ClockKeeperResume, TakesAPowerModeChangedMeanwhileForTheOneToRestore) {
  HandedOverClock clock;
  clock.board.set_mode(1);
  clock.board.others_write(MemoryAttributes::lowest, megahertz(408).value);
  clock.keeper.resume(kept, clock.now);
  const auto reports = clock.keeper.take_reports();
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().condition, ClockCondition::lost);
  EXPECT_EQ(reports.front().held_until, Instant{}) << "since when, nobody knows";
  EXPECT_EQ(clock.board.requested_max(), megahertz(408).value);
  clock.keeper.want(std::nullopt, clock.now);
  EXPECT_EQ(clock.board.requested_max(), megahertz(408).value);
  EXPECT_EQ(clock.board.requested_min(), MemoryAttributes::lowest);
}

TEST(ClockKeeperResume, TriesAgainWhereTheBoardRefuses) {
  HandedOverClock clock;
  clock.board.set_error(MemoryAttributes::node + "/governor", EIO);
  clock.keeper.resume(megahertz(816), clock.now);
  clock.board.set(MemoryAttributes::node + "/governor", "nvhost_podgov");
  for (int i = 0; i < 3 && clock.board.requested_max() != megahertz(816).value; ++i) {
    ASSERT_TRUE(clock.keeper.due());
    clock.now = *clock.keeper.due();
    clock.keeper.act(clock.now);
  }
  EXPECT_EQ(clock.board.requested_max(), megahertz(816).value);
}

TEST(ClockKeeperResume, WaitsForANodeThatIsNotThereYet) {
  HandedOverClock clock;
  clock.board.remove(MemoryAttributes::node);
  clock.keeper.resume(kept, clock.now);
  EXPECT_EQ(clock.keeper.take_reports().back().condition, ClockCondition::no_gpu);
  EXPECT_TRUE(clock.keeper.due());
}

}  // namespace
}  // namespace sweetspot::tests
