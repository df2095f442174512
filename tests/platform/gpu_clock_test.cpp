// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/gpu_clock.hpp"

#include <cerrno>
#include <fstream>

#include "tests/platform/gpu_clock_fixture.hpp"

namespace sweetspot::tests {
namespace {

using namespace std::chrono_literals;
using Write = MemoryAttributes::Write;
using Writes = std::vector<Write>;

class GpuClockOnBothKernels : public ::testing::TestWithParam<DevfreqKernel> {
 protected:
  PinnedBoard at{GetParam()};
  GpuClock clock = at.clock();

  PinReport pin(Hertz target, PinStyle style = PinStyle::exact) { return clock.pin(target, style, at.later()).value(); }
  CheckReport check(Duration later = 1s) { return clock.check(at.later(later)).value(); }
  ReleaseReport release() { return clock.release().value(); }
};
INSTANTIATE_TEST_SUITE_P(Kernels, GpuClockOnBothKernels, ::testing::Values(DevfreqKernel::v4_9, DevfreqKernel::v5_10),
                         [](const auto& kernel) {
                           return kernel.param == DevfreqKernel::v4_9 ? "Linux4_9" : "Linux5_10";
                         });

TEST_P(GpuClockOnBothKernels, WritesTheLowerLimitFirstAtTheFirstPin) {
  pin(mhz(816));
  EXPECT_EQ(at.board.writes(), (Writes{{"min_freq", hz(816)}, {"max_freq", hz(816)}}));
}

TEST_P(GpuClockOnBothKernels, RaisesTheUpperLimitFirstWhenGoingUp) {
  pin(mhz(510));
  at.board.forget_writes();
  pin(mhz(1020));
  EXPECT_EQ(at.board.writes(), (Writes{{"max_freq", hz(1020)}, {"min_freq", hz(1020)}}));
}

TEST_P(GpuClockOnBothKernels, LowersTheLowerLimitFirstWhenGoingDown) {
  pin(mhz(1020));
  at.board.forget_writes();
  pin(mhz(510));
  EXPECT_EQ(at.board.writes(), (Writes{{"min_freq", hz(510)}, {"max_freq", hz(510)}}));
}

TEST_P(GpuClockOnBothKernels, ReportsAPinThatReadsBackAsWritten) {
  const PinReport report = pin(mhz(612));
  EXPECT_EQ(report.state, PinState::pinned);
  EXPECT_EQ(report.target, mhz(612));
  EXPECT_EQ(report.read, (ClockLimits{mhz(612), mhz(612)}));
}

TEST_P(GpuClockOnBothKernels, NeverGoesAboveTheCapItFound) {
  at.board.others_write(hz(306), hz(816));
  const PinReport report = pin(mhz(1020));
  EXPECT_EQ(report.target, mhz(816));
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(816), mhz(816)}));
}

TEST_P(GpuClockOnBothKernels, TakesTheHighestEntryWithinACapThatIsNotInTheTable) {
  at.board.others_write(hz(306), hz(640));
  EXPECT_EQ(pin(mhz(816)).target, mhz(612));
}

TEST_P(GpuClockOnBothKernels, RefusesATargetOutsideTheTableWithoutAWrite) {
  const auto report = clock.pin(mhz(600), PinStyle::exact, at.now);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "600 MHz is not in the table of 17000000.gpu");
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_P(GpuClockOnBothKernels, CapStyleWritesTheUpperLimitOnly) {
  pin(mhz(714), PinStyle::cap);
  EXPECT_EQ(at.board.writes(), (Writes{{"max_freq", hz(714)}}));
}

TEST_P(GpuClockOnBothKernels, CapStyleTakesAHigherMinimumDownWithIt) {
  at.board.others_write(hz(1020), hz(1224));
  EXPECT_EQ(pin(mhz(714), PinStyle::cap).state, PinState::pinned);
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(1020), mhz(1224)}));
}

TEST_P(GpuClockOnBothKernels, ChangesFromExactToCapAndBack) {
  pin(mhz(816));
  EXPECT_EQ(pin(mhz(816), PinStyle::cap).read, (ClockLimits{mhz(306), mhz(816)}));
  EXPECT_EQ(pin(mhz(510), PinStyle::exact).read, (ClockLimits{mhz(510), mhz(510)}));
}

TEST_P(GpuClockOnBothKernels, ReleaseRestoresTheUpperLimitFirst) {
  pin(mhz(816));
  at.board.forget_writes();
  const ReleaseReport report = release();
  EXPECT_EQ(at.board.writes(), (Writes{{"max_freq", MemoryAttributes::highest}, {"min_freq", hz(306)}}));
  EXPECT_TRUE(report.complete);
}

TEST_P(GpuClockOnBothKernels, ReleaseRestoresAPinThatWasThereBefore) {
  at.board.others_write(hz(1122), hz(1122));
  pin(mhz(612));
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(1122), mhz(1122)}));
}

TEST_P(GpuClockOnBothKernels, SavesBeforeTheFirstWrite) {
  std::optional<SavedClock> on_disk;
  at.board.before_write("min_freq", [&] { on_disk = at.store.load().value(); });
  pin(mhz(816));
  ASSERT_TRUE(on_disk);
  EXPECT_EQ(on_disk->found, (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
  EXPECT_EQ(on_disk->next_target, mhz(816));
}

TEST_P(GpuClockOnBothKernels, SavesEveryTargetBeforeItsWrites) {
  pin(mhz(510));
  std::optional<SavedClock> on_disk;
  at.board.before_write("max_freq", [&] { on_disk = at.store.load().value(); });
  pin(mhz(1020));
  ASSERT_TRUE(on_disk);
  EXPECT_EQ(on_disk->last_target, mhz(510));
  EXPECT_EQ(on_disk->next_target, mhz(1020));
}

TEST_P(GpuClockOnBothKernels, WritesNothingWhenItCannotSave) {
  std::ofstream(at.store.runtime_dir()) << "a file where the folder should be";
  const auto report = clock.pin(mhz(816), PinStyle::exact, at.now);
  EXPECT_FALSE(report);
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_P(GpuClockOnBothKernels, RemovesTheSavedFileOnlyAfterTheRestore) {
  pin(mhz(816));
  at.board.fail_writes("min_freq", EIO);
  EXPECT_FALSE(clock.release());
  EXPECT_TRUE(at.store.load().value());
  EXPECT_TRUE(release().complete);
  EXPECT_FALSE(at.store.load().value());
}

TEST_P(GpuClockOnBothKernels, PassesOnWhatAWriteWasRefusedWith) {
  at.board.fail_writes("min_freq", EACCES);
  const auto report = clock.pin(mhz(816), PinStyle::exact, at.now);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, EACCES);
  EXPECT_EQ(report.error().message, "write " + MemoryAttributes::node + "/min_freq: 816000000: Permission denied");
}

TEST_P(GpuClockOnBothKernels, ARefusedPinCanBeGivenBack) {
  at.board.fail_writes("max_freq", EIO);
  EXPECT_FALSE(clock.pin(mhz(816), PinStyle::exact, at.now));
  EXPECT_TRUE(release().complete);
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

TEST_P(GpuClockOnBothKernels, DoesNothingOnReleaseWithoutAPin) {
  EXPECT_TRUE(release().complete);
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_P(GpuClockOnBothKernels, AdoptsTheRangeOfANewPowerMode) {
  pin(mhz(816));
  at.board.others_write(hz(306), hz(612));
  at.board.set_mode(2);
  const CheckReport report = check();
  EXPECT_EQ(report.verdict, ClockVerdict::mode_changed);
  EXPECT_TRUE(report.adopted);
  EXPECT_EQ(pin(mhz(816)).target, mhz(612));
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), mhz(612)}));
}

TEST_P(GpuClockOnBothKernels, RewritesTheSavedFileWhenItAdopts) {
  pin(mhz(816));
  at.board.others_write(hz(306), hz(612));
  check();
  EXPECT_EQ(at.store.load().value()->found, (ClockLimits{mhz(306), mhz(612)}));
}

TEST_P(GpuClockOnBothKernels, AdoptsACapThatEqualsItsTargetWhenThePowerModeChanged) {
  pin(mhz(612));
  at.board.others_write_min(0);
  at.board.set_mode(2);
  EXPECT_EQ(check().verdict, ClockVerdict::mode_changed);
  pin(mhz(612));
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), mhz(612)}));
}

TEST_P(GpuClockOnBothKernels, AdoptsSuchACapAlsoWhenTheStatusFileFollowsLate) {
  pin(mhz(612));
  at.board.others_write_min(0);
  EXPECT_EQ(check().verdict, ClockVerdict::look_again);
  EXPECT_EQ(check(100ms).verdict, ClockVerdict::rival);
  pin(mhz(612));
  at.board.set_mode(2);
  check();
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), mhz(612)}));
}

TEST_P(GpuClockOnBothKernels, KeepsTheFoundCapWhenAModeChangeWaitsForAReboot) {
  pin(mhz(612));
  at.board.set_mode(2);
  EXPECT_EQ(check().verdict, ClockVerdict::held);
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

TEST_P(GpuClockOnBothKernels, LooksAgainBeforeItBelievesALoneReset) {
  at.board.others_write(hz(408), hz(1224));
  pin(mhz(816));
  at.board.others_write_min(0);
  EXPECT_EQ(check().verdict, ClockVerdict::look_again);
  EXPECT_EQ(check(50ms).verdict, ClockVerdict::look_again);
  EXPECT_EQ(check(60ms).verdict, ClockVerdict::rival);
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), mhz(1224)}));
}

TEST_P(GpuClockOnBothKernels, PinsAnewOverALoneResetOnceItIsBelieved) {
  pin(mhz(816));
  at.board.others_write_min(0);
  EXPECT_EQ(check().verdict, ClockVerdict::look_again);
  EXPECT_EQ(check(100ms).verdict, ClockVerdict::rival);
  EXPECT_EQ(pin(mhz(816)).state, PinState::pinned);
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(816), mhz(816)}));
}

TEST_P(GpuClockOnBothKernels, PinsAnewInAModeWhoseCapIsItsTarget) {
  pin(mhz(612));
  at.board.others_write_min(0);
  at.board.others_write_max(hz(612));
  at.board.set_mode(2);
  EXPECT_EQ(check().verdict, ClockVerdict::mode_changed);
  EXPECT_EQ(pin(mhz(612)).state, PinState::pinned);
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(612), mhz(612)}));
  release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), mhz(612)}));
}

TEST_P(GpuClockOnBothKernels, SeesTheSecondWriteOfAnUnfinishedModeChange) {
  pin(mhz(816));
  at.board.others_write_min(0);
  EXPECT_EQ(check().verdict, ClockVerdict::look_again);
  at.board.others_write_max(hz(408));
  EXPECT_EQ(check(100ms).verdict, ClockVerdict::mode_changed);
  EXPECT_EQ(pin(mhz(816)).target, mhz(408));
}

TEST_P(GpuClockOnBothKernels, WritesNothingWhileAnotherWriterMayBeHalfWay) {
  pin(mhz(816));
  at.board.others_write_min(0);
  at.board.forget_writes();
  EXPECT_EQ(pin(mhz(510)).state, PinState::look_again);
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_P(GpuClockOnBothKernels, LeavesAloneWhatIsNotItsOwn) {
  pin(mhz(816));
  at.board.others_write(hz(420), hz(930));
  at.board.forget_writes();
  const ReleaseReport report = release();
  EXPECT_TRUE(at.board.writes().empty());
  EXPECT_THAT(report.notes, ::testing::ElementsAre("max_freq is 930 MHz, which is not ours: left alone",
                                                   "min_freq is 420 MHz, which is not ours: left alone"));
  EXPECT_TRUE(report.complete);
}

TEST_P(GpuClockOnBothKernels, CallsAWriterWhoPutTheFoundLimitsBackARival) {
  pin(mhz(816));
  at.board.others_write(hz(306), MemoryAttributes::highest);
  const CheckReport report = check();
  EXPECT_EQ(report.verdict, ClockVerdict::rival);
  EXPECT_FALSE(report.adopted);
}

TEST_P(GpuClockOnBothKernels, HoldsWhileTheClockObeys) {
  pin(mhz(816));
  at.board.set_current(hz(812));
  const CheckReport report = check();
  EXPECT_EQ(report.verdict, ClockVerdict::held);
  EXPECT_EQ(report.current, mhz(812));
}

TEST_P(GpuClockOnBothKernels, SaysWhenALoadedGpuDoesNotObey) {
  pin(mhz(816));
  at.board.set_current(hz(306));
  EXPECT_EQ(check().verdict, ClockVerdict::not_obeyed);
}

TEST_P(GpuClockOnBothKernels, DoesNotTrustTheClockRightAfterAWrite) {
  pin(mhz(816));
  at.board.set_current(hz(306));
  EXPECT_EQ(check(99ms).verdict, ClockVerdict::held);
}

TEST_P(GpuClockOnBothKernels, AnIdleOrGatedGpuMayShowAnyClock) {
  pin(mhz(816));
  at.board.set_current(hz(306));
  at.board.set(MemoryAttributes::device + "/load", "0");
  EXPECT_EQ(check().verdict, ClockVerdict::held);
  at.board.set(MemoryAttributes::device + "/load", "500");
  at.board.set(MemoryAttributes::device + "/is_railgated", "yes");
  EXPECT_EQ(check().verdict, ClockVerdict::held);
}

TEST_P(GpuClockOnBothKernels, ReportsAChangedGovernorAndNeverWritesOne) {
  pin(mhz(816));
  at.board.set(MemoryAttributes::node + "/governor", "performance");
  EXPECT_EQ(check().governor_was, "nvhost_podgov");
}

TEST_P(GpuClockOnBothKernels, TakesOverThePinOfAPredecessor) {
  pin(mhz(816));
  at.board.forget_writes();
  GpuClock successor = at.clock();
  EXPECT_TRUE(successor.resume(at.later()).value());
  EXPECT_TRUE(at.board.writes().empty());
  EXPECT_EQ(successor.check(at.later()).value().verdict, ClockVerdict::held);
  EXPECT_TRUE(successor.release().value().complete);
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

TEST_P(GpuClockOnBothKernels, GivesBackADeadPredecessorsPinBeforeItsOwn) {
  pin(mhz(816));
  GpuClock successor = at.clock();
  EXPECT_EQ(successor.pin(mhz(510), PinStyle::exact, at.later()).value().state, PinState::pinned);
  EXPECT_EQ(successor.saved()->found, (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

TEST_P(GpuClockOnBothKernels, ChecksTheGovernorOnlyWhereReadsOfLimitsMayHang) {
  GpuNode node = clock.node();
  node.limits_may_hang = true;
  GpuClock careful(at.board, node, at.store);
  ASSERT_TRUE(careful.pin(mhz(816), PinStyle::exact, at.now));
  at.board.set_error("/sys/class/thermal/cooling_device1/cur_state", EAGAIN);
  at.board.others_write(hz(306), hz(408));
  const CheckReport report = careful.check(at.later()).value();
  EXPECT_EQ(report.verdict, ClockVerdict::held);
  EXPECT_EQ(report.read, (ClockLimits{mhz(816), mhz(816)}));
}

TEST(GpuClock, TriesTheOtherOrderOnceWhenKernel49RefusesTheFirst) {
  PinnedBoard at(DevfreqKernel::v4_9);
  GpuClock clock = at.clock();
  ASSERT_TRUE(clock.pin(mhz(612), PinStyle::exact, at.later()));
  // Between our look and our first write another writer raises both limits above the new target.
  at.board.before_write("max_freq", [&] { at.board.others_write(hz(1224), hz(1224)); });
  const PinReport report = clock.pin(mhz(1020), PinStyle::exact, at.later()).value();
  EXPECT_EQ(report.state, PinState::pinned);
  EXPECT_TRUE(report.adopted);
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(1020), mhz(1020)}));
}

TEST(GpuClock, GivesUpAfterTwoRefusals) {
  PinnedBoard at(DevfreqKernel::v4_9);
  GpuClock clock = at.clock();
  at.board.fail_writes("min_freq", EINVAL, 100);
  const auto report = clock.pin(mhz(612), PinStyle::exact, at.later());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, EINVAL);
}

}  // namespace
}  // namespace sweetspot::tests
