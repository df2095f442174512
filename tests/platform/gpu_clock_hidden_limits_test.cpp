// SPDX-License-Identifier: Apache-2.0
// Kernels from 5.5 on show the effective range: a thermal cap or another writer's max hides what was written below it.
#include "sweetspot/platform/gpu_clock.hpp"
#include "tests/platform/gpu_clock_fixture.hpp"

namespace sweetspot::tests {
namespace {

class GpuClockUnderThermalCap : public ::testing::Test {
 protected:
  PinnedBoard at{DevfreqKernel::v5_10};
  GpuClock clock = at.clock();
};

TEST_F(GpuClockUnderThermalCap, SavesNothingWhileTheCapHidesTheTrueLimits) {
  at.board.set_thermal_cap(hz(918));
  const PinReport report = clock.pin(mhz(816), PinStyle::exact, at.now).value();
  EXPECT_EQ(report.state, PinState::waiting_for_cooling);
  EXPECT_TRUE(at.board.writes().empty());
  EXPECT_FALSE(at.store.load().value());
}

TEST_F(GpuClockUnderThermalCap, CallsItCappedAndWritesNothing) {
  (void)clock.pin(mhz(1020), PinStyle::exact, at.later());
  at.board.set_thermal_cap(hz(714));
  at.board.forget_writes();
  const CheckReport report = clock.check(at.later()).value();
  EXPECT_EQ(report.verdict, ClockVerdict::capped);
  EXPECT_THAT(report.cooling, ::testing::ElementsAre("devfreq-17000000.gpu"));
  at.board.clear_thermal_cap();
  EXPECT_EQ(clock.check(at.later()).value().verdict, ClockVerdict::held);
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_F(GpuClockUnderThermalCap, RestoresTheTrueLimitsThroughTheCap) {
  (void)clock.pin(mhz(1020), PinStyle::exact, at.later());
  at.board.set_thermal_cap(hz(714));
  const ReleaseReport report = clock.release().value();
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.capped);
  at.board.clear_thermal_cap();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

/// What a cap does while the clock is given back.
struct CapStory {
  const char* name;
  std::uint64_t before_mhz;     ///< 0: none
  std::uint64_t meanwhile_mhz;  ///< 0: the cap goes
};
void PrintTo(const CapStory& story, std::ostream* out) {
  *out << story.name;
}
class GpuClockWhoseCapMoves : public ::testing::TestWithParam<CapStory> {};

TEST_P(GpuClockWhoseCapMoves, RestoresTheTrueLimitsAtWhicheverAccessItDoes) {
  const auto set_cap = [](MemoryAttributes& board, std::uint64_t cap_mhz) {
    if (cap_mhz == 0) return board.clear_thermal_cap();
    board.set_thermal_cap(hz(cap_mhz));
  };
  constexpr int more_than_a_release_makes = 60;
  for (int access = 1; access <= more_than_a_release_makes; ++access) {
    PinnedBoard at{DevfreqKernel::v5_10};
    GpuClock clock = at.clock();
    ASSERT_EQ(clock.pin(mhz(816), PinStyle::exact, at.now).value().state, PinState::pinned);
    set_cap(at.board, GetParam().before_mhz);
    at.board.before_access(access, [&] { set_cap(at.board, GetParam().meanwhile_mhz); });
    const bool complete = clock.release().value().complete;
    at.board.clear_thermal_cap();
    if (!complete) {
      EXPECT_TRUE(clock.release().value().complete) << "moves at access " << access;
    }
    EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}})) << "moves at access " << access;
    EXPECT_FALSE(at.store.load().value()) << "moves at access " << access;
  }
}

INSTANTIATE_TEST_SUITE_P(Caps, GpuClockWhoseCapMoves,
                         ::testing::Values(CapStory{"Comes", 0, 714}, CapStory{"Goes", 714, 0},
                                           CapStory{"RisesToTheTarget", 714, 816}, CapStory{"Rises", 510, 714},
                                           CapStory{"Falls", 714, 510}),
                         [](const auto& story) { return story.param.name; });

TEST_F(GpuClockUnderThermalCap, AdoptsNothingUntilTheDeviceRests) {
  (void)clock.pin(mhz(1020), PinStyle::exact, at.later());
  at.board.set_thermal_cap(hz(714));
  at.board.others_write(hz(306), hz(816));
  EXPECT_EQ(clock.check(at.later()).value().verdict, ClockVerdict::waiting_for_cooling);
  EXPECT_EQ(clock.pin(mhz(510), PinStyle::exact, at.later()).value().state, PinState::waiting_for_cooling);
  at.board.clear_thermal_cap();
  EXPECT_EQ(clock.check(at.later()).value().verdict, ClockVerdict::mode_changed);
  EXPECT_EQ(clock.saved()->found, (ClockLimits{mhz(306), mhz(816)}));
}

TEST_F(GpuClockUnderThermalCap, KeepsTheSavedFileWhileTheCapHidesTheOwner) {
  (void)clock.pin(mhz(1020), PinStyle::exact, at.later());
  at.board.set_thermal_cap(hz(714));
  at.board.others_write_min(hz(306));
  EXPECT_FALSE(clock.release().value().complete);
  EXPECT_TRUE(at.store.load().value());
  at.board.clear_thermal_cap();
  EXPECT_TRUE(clock.release().value().complete);
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
}

TEST_F(GpuClockUnderThermalCap, RemembersACapThatNoCoolingDeviceShows) {
  (void)clock.pin(mhz(510), PinStyle::exact, at.later());
  at.board.set_thermal_cap(hz(714));
  at.board.set("/sys/class/thermal/cooling_device1/cur_state", "0");
  EXPECT_EQ(clock.pin(mhz(1020), PinStyle::exact, at.later()).value().state, PinState::capped);
  EXPECT_EQ(clock.check(at.later()).value().verdict, ClockVerdict::capped);
  EXPECT_EQ(clock.check(at.later()).value().verdict, ClockVerdict::capped);
}

TEST(GpuClock, RevealsAFloorThatItsOwnMaximumHid) {
  PinnedBoard at(DevfreqKernel::v5_10);
  GpuClock clock = at.clock();
  (void)clock.pin(mhz(510), PinStyle::exact, at.later());
  at.board.others_write_min(hz(930));
  (void)clock.release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(930), Hertz{MemoryAttributes::highest}}));
}

TEST(GpuClock, KnowsItsOwnHiddenFloorWhenItSawThatOnlyTheMaximumWasWritten) {
  PinnedBoard at(DevfreqKernel::v5_10);
  at.board.show_writes_of_others();
  GpuClock clock = at.clock();
  (void)clock.pin(mhz(816), PinStyle::exact, at.later());
  at.board.others_write_max(hz(500));
  (void)clock.release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), mhz(500)}));
}

TEST(GpuClock, LeavesARivalsPinAloneWhenItSawBothWrites) {
  PinnedBoard at(DevfreqKernel::v5_10);
  at.board.show_writes_of_others();
  GpuClock clock = at.clock();
  (void)clock.pin(mhz(816), PinStyle::exact, at.later());
  at.board.others_write(hz(500), hz(500));
  (void)clock.release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(500), mhz(500)}));
}

TEST(GpuClock, ForgetsItsFloorBelowAForeignMaximumThatHidesIt) {
  PinnedBoard at(DevfreqKernel::v5_10);
  GpuClock clock = at.clock();
  (void)clock.pin(mhz(816), PinStyle::exact, at.later());
  at.board.others_write_max(hz(500));
  (void)clock.release();
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(500), mhz(500)}));
  EXPECT_EQ(at.board.requested_min(), hz(500));
}

}  // namespace
}  // namespace sweetspot::tests
