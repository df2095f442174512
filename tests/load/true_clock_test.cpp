// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-load/true_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/memory_attributes.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Ends each count at the third look, with the next clock of a list.
class FakeCounter : public CycleCounter {
 public:
  explicit FakeCounter(std::vector<Hertz> clocks) : clocks_(std::move(clocks)) {}
  Result<void> start(Duration window) override {
    window_ = window;
    looks_ = 0;
    return {};
  }
  Result<std::optional<CycleCount>> poll() override {
    if (broken) return failure("the GPU fell off the bus");
    if (++looks_ < 3) return std::nullopt;
    const auto clock = clocks_.at(next_++ % clocks_.size());
    return CycleCount{clock.value * static_cast<std::uint64_t>(window_.count()) / 1'000'000'000U,
                      static_cast<std::uint64_t>(window_.count()), 1000};
  }
  bool broken = false;

 private:
  std::vector<Hertz> clocks_;
  std::size_t next_ = 0;
  Duration window_{};
  int looks_ = 0;
};

class TrueClockOfABoard : public ::testing::Test {
 protected:
  TrueClockOfABoard() {
    report(612);
    board_.set("/sys/class/hwmon/hwmon3/name", "soctherm_oc");
    board_.set("/sys/class/hwmon/hwmon3/oc1_event_cnt", "4");
    options_.readings = 3;
    options_.between_readings = Duration::zero();
  }
  void report(double mhz) {
    board_.set(MemoryAttributes::node + "/min_freq", "306000000");
    board_.set(MemoryAttributes::node + "/max_freq", "1300500000");
    board_.set(MemoryAttributes::node + "/governor", "nvhost_podgov");
    board_.set(MemoryAttributes::node + "/available_frequencies", "306000000 612000000 1300500000");
    board_.set(MemoryAttributes::node + "/cur_freq", std::to_string(megahertz(mhz).value));
    board_.link("/sys/class/devfreq/17000000.gpu", "../../devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu");
  }
  std::string shown(
      FakeCounter counter, const std::function<void()>& meanwhile = [] {}) {
    TrueClock clock(board_, counter, [&]() -> Result<void> {
      meanwhile();
      return {};
    });
    std::ostringstream out;
    EXPECT_TRUE(show_readings(clock, options_, out));
    return out.str();
  }

  TreeAttributes board_;
  LoadOptions options_;
};

TEST_F(TrueClockOfABoard, IsHeldAgainstWhatSysfsSays) {
  const auto text = shown(FakeCounter({megahertz(611), megahertz(306), megahertz(612)}));
  EXPECT_THAT(text, HasSubstr(MemoryAttributes::node + "\n"));
  EXPECT_THAT(text, HasSubstr("cur_freq 612.0 MHz, counted 611.0 MHz (-0.2 %): agrees\n"));
  EXPECT_THAT(text, HasSubstr("cur_freq 612.0 MHz, counted 306.0 MHz (-50.0 %): SLOWER than sysfs says\n"));
  EXPECT_THAT(text, HasSubstr("1 of 3 readings slower than cur_freq\n0 over-current events meanwhile\n"));
  EXPECT_THAT(text, HasSubstr("Over-current throttling"));
}

TEST_F(TrueClockOfABoard, BlamesNobodyWhereBothAgree) {
  const auto text = shown(FakeCounter({megahertz(612)}));
  EXPECT_THAT(text, HasSubstr("0 of 3 readings slower than cur_freq\n"));
  EXPECT_THAT(text, Not(HasSubstr("throttling")));
}

TEST_F(TrueClockOfABoard, TellsTheOverCurrentEventsOfItsTime) {
  EXPECT_THAT(shown(FakeCounter({megahertz(306)}), [&] { board_.set("/sys/class/hwmon/hwmon3/oc1_event_cnt", "6"); }),
              HasSubstr("\n2 over-current events meanwhile\n"));
}

TEST_F(TrueClockOfABoard, CallsAClockThatChangedMeanwhileWhatItWas) {
  const auto text = shown(FakeCounter({megahertz(612)}), [&] { report(1300.5); });
  EXPECT_THAT(text, HasSubstr("cur_freq 1300.5 MHz (before: 612.0 MHz), counted 612.0 MHz (-52.9 %): agrees\n"));
}

TEST_F(TrueClockOfABoard, IsCountedWithoutANodeToo) {
  board_.remove("/sys");
  const auto text = shown(FakeCounter({megahertz(1200)}));
  EXPECT_THAT(text, HasSubstr("no cur_freq: "));
  EXPECT_THAT(text, HasSubstr("cur_freq unknown, counted 1200.0 MHz: nothing to compare with\n"));
  EXPECT_THAT(text, HasSubstr("3 readings, none with a cur_freq to compare with\n"));
  EXPECT_THAT(text, Not(HasSubstr("over-current")));
}

TEST_F(TrueClockOfABoard, EndsWhereTheGpuFails) {
  FakeCounter counter({megahertz(612)});
  counter.broken = true;
  TrueClock clock(board_, counter, [] { return Result<void>(); });
  std::ostringstream out;
  const auto done = show_readings(clock, options_, out);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the GPU fell off the bus");
}

}  // namespace
}  // namespace sweetspot::tests
