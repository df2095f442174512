// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <random>

#include "sweetspot/platform/gpu_clock.hpp"
#include "tests/platform/gpu_clock_fixture.hpp"

namespace sweetspot::tests {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::uint64_t, 11> table{306000000, 408000000,  510000000,  612000000,  714000000, 816000000,
                                              918000000, 1020000000, 1122000000, 1224000000, 1300500000};

/// A random life of a pinned board: our pins and checks, other writers, power modes, thermal caps. `expected` is what
/// must be there after a release: the original limits, or what the last other writer left.
class RandomLife {
 public:
  RandomLife(DevfreqKernel kernel, bool writes_visible, unsigned seed)
      : at_(kernel), clock_(at_.clock()), random_(seed), writes_visible_(writes_visible) {
    if (writes_visible) at_.board.show_writes_of_others();
    others_write(306000000, pick_clock());
  }

  void run(int steps) {
    for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) one_step();
    at_.board.clear_thermal_cap();
    release();
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_()) % count; }
  std::uint64_t pick_clock() { return table.at(pick(table.size())); }
  /// A clock that is nobody's target, so that it tells who wrote it.
  std::uint64_t pick_foreign_clock() { return pick_clock() + 1000000 * (1 + pick(90)); }

  void one_step() {
    switch (pick(9)) {
      case 0:
      case 1:
      case 2:
        return pin();
      case 3:
        return check();
      case 4:
        return change_power_mode();
      case 5:
        return others_pin_or_range();
      case 6:
        return thermal();
      case 7:
        return at_.board.clear_thermal_cap();
      case 8:
        return release();
    }
  }

  void others_write(std::uint64_t min, std::uint64_t max) {
    at_.board.others_write(min, max);
    expected_ = {Hertz{min}, Hertz{max}};
  }

  /// As nvpmodel does it: no floor, a cap, another mode id.
  void change_power_mode() {
    at_.board.clear_thermal_cap();
    others_write(306000000, pick_clock());
    at_.board.set_mode(++mode_ % 10);
  }

  void others_pin_or_range() {
    at_.board.clear_thermal_cap();
    const std::uint64_t a = std::min(pick_foreign_clock(), MemoryAttributes::highest - 1000000);
    const std::uint64_t b = std::min(pick_foreign_clock(), MemoryAttributes::highest - 1000000);
    others_write(std::min(a, b), std::max(a, b));
  }

  /// What others wrote just before a cap that hides it can only be known from having seen the write.
  void thermal() {
    if (!kernel_hides_caps()) return;
    for (int look = 0; look < 2 && !writes_visible_; ++look) check();
    at_.board.set_thermal_cap(pick_clock());
  }
  bool kernel_hides_caps() const { return at_.board.kernel() == DevfreqKernel::v5_10; }

  void pin() {
    const Hertz target{pick_clock()};
    const PinStyle style = pick(3) == 0 ? PinStyle::cap : PinStyle::exact;
    for (int attempt = 0; attempt < 3; ++attempt) {
      at_.board.forget_writes();
      const auto report = clock_.pin(target, style, at_.later(100ms + 1ms * pick(2000)));
      if (!report) {
        // The only refusal there is: another writer's cap below the whole table.
        EXPECT_EQ(report.error().code, ERANGE) << report.error().message;
        return;
      }
      check_writes();
      if (report->state != PinState::look_again) return;
    }
    ADD_FAILURE() << "a doubt that does not end";
  }

  void check_writes() const {
    for (const auto& [file, value] : at_.board.writes()) {
      const bool in_table = std::find(table.begin(), table.end(), value) != table.end();
      EXPECT_TRUE(in_table || Hertz{value} == expected_.min) << file << " " << value;
      if (file == "max_freq") {
        EXPECT_LE(Hertz{value}, expected_.max);
      }
    }
    EXPECT_EQ(at_.board.refusals(), 0);
  }

  void check() {
    if (clock_.saved()) {
      EXPECT_TRUE(clock_.check(at_.later(100ms + 1ms * pick(2000))));
    }
  }

  void release() {
    auto report = clock_.release();
    ASSERT_TRUE(report) << report.error().message;
    if (!report->complete) {
      at_.board.clear_thermal_cap();
      report = clock_.release();
    }
    ASSERT_TRUE(report && report->complete);
    at_.board.clear_thermal_cap();
    EXPECT_EQ(at_.shown(), expected_);
    EXPECT_EQ(Hertz{at_.board.requested_min()}, expected_.min);
    EXPECT_FALSE(at_.store.load().value());
  }

  PinnedBoard at_;
  GpuClock clock_;
  std::mt19937 random_;
  ClockLimits expected_;
  bool writes_visible_;
  int mode_ = 0;
};

class AnyLife : public ::testing::TestWithParam<std::tuple<DevfreqKernel, bool>> {};
INSTANTIATE_TEST_SUITE_P(Kernels, AnyLife,
                         ::testing::Combine(::testing::Values(DevfreqKernel::v4_9, DevfreqKernel::v5_10),
                                            ::testing::Bool()));

TEST_P(AnyLife, EndsWithTheLimitsOfTheLastOtherWriter) {
  const auto [kernel, writes_visible] = GetParam();
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomLife(kernel, writes_visible, seed).run(40);
    if (HasFailure()) return;
  }
}

/// Pins up, down, in both styles, gives back: every kind of access there is.
void whole_life(PinnedBoard& at, bool thermal) {
  GpuClock clock = at.clock();
  at.board.crash_at(at.crash_at, at.crash_after);
  (void)clock.pin(mhz(816), PinStyle::exact, at.later());
  if (thermal) at.board.set_thermal_cap(714000000);
  (void)clock.pin(mhz(510), PinStyle::exact, at.later());
  (void)clock.check(at.later());
  (void)clock.pin(mhz(1020), PinStyle::exact, at.later());
  (void)clock.pin(mhz(612), PinStyle::cap, at.later());
  (void)clock.release();
}

class DeathAtAnyAccess : public ::testing::TestWithParam<std::tuple<DevfreqKernel, bool, bool>> {};
INSTANTIATE_TEST_SUITE_P(
    Kernels, DeathAtAnyAccess,
    ::testing::Values(std::tuple(DevfreqKernel::v4_9, false, false), std::tuple(DevfreqKernel::v4_9, true, false),
                      std::tuple(DevfreqKernel::v5_10, false, false), std::tuple(DevfreqKernel::v5_10, true, false),
                      std::tuple(DevfreqKernel::v5_10, false, true), std::tuple(DevfreqKernel::v5_10, true, true)));

TEST_P(DeathAtAnyAccess, IsUndoneByARestore) {
  const auto [kernel, after, thermal] = GetParam();
  int crashes = 0;
  for (int access = 1; access < 1000; ++access) {
    SCOPED_TRACE("access " + std::to_string(access));
    PinnedBoard at(kernel);
    at.board.others_write(408000000, 1122000000);
    at.crash_at = access;
    at.crash_after = after;
    bool crashed = false;
    try {
      whole_life(at, thermal);
    } catch (const Crash&) {
      crashed = true;
    }
    at.board.live();
    auto restored = restore_saved_clock(at.board, at.store);
    ASSERT_TRUE(restored) << restored.error().message;
    at.board.clear_thermal_cap();
    if (!restored->complete) restored = restore_saved_clock(at.board, at.store);
    ASSERT_TRUE(restored && restored->complete);
    EXPECT_EQ(at.board.requested_min(), 408000000);
    EXPECT_EQ(at.board.requested_max(), 1122000000);
    if (!crashed) break;
    ++crashes;
  }
  EXPECT_GT(crashes, 30);
}

TEST_P(DeathAtAnyAccess, OfTheRestoreItselfIsUndoneByTheNext) {
  const auto [kernel, after, thermal] = GetParam();
  for (int access = 1; access < 100; ++access) {
    SCOPED_TRACE("access " + std::to_string(access));
    PinnedBoard at(kernel);
    at.board.others_write(408000000, 1122000000);
    (void)at.clock().pin(mhz(816), PinStyle::exact, at.later());
    if (thermal) at.board.set_thermal_cap(714000000);
    at.board.crash_at(access, after);
    bool crashed = false;
    try {
      (void)restore_saved_clock(at.board, at.store);
    } catch (const Crash&) {
      crashed = true;
    }
    at.board.live();
    ASSERT_TRUE(restore_saved_clock(at.board, at.store));
    at.board.clear_thermal_cap();
    ASSERT_TRUE(restore_saved_clock(at.board, at.store).value().complete);
    EXPECT_EQ(at.board.requested_min(), 408000000);
    EXPECT_EQ(at.board.requested_max(), 1122000000);
    if (!crashed) return;
  }
  ADD_FAILURE() << "the restore has no end";
}

}  // namespace
}  // namespace sweetspot::tests
