// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/energy_meter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sweetspot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double missing = std::numeric_limits<double>::infinity();  ///< in these tests: not read
const Duration longest_step = seconds(0.25);
const Instant begin{seconds(1000)};

Instant at(double s) {
  return begin + seconds(s);
}
std::optional<Watts> power_of(double watts) {
  return watts == missing ? std::nullopt : std::optional(Watts{watts});
}
PowerSample sample(double s, std::vector<double> watts, std::optional<double> load = std::nullopt) {
  PowerSample made{.at = at(s), .rails = {}, .gpu_load_percent = load};
  for (const double value : watts) made.rails.push_back(power_of(value));
  return made;
}
Duration gap_since(const EnergyMeter& meter, double s, std::vector<std::size_t> rails = {0}) {
  return meter.longest_gap(at(s), meter.reading().at, rails);
}
MeterReading::Channel only_rail(const EnergyMeter& meter) {
  return meter.reading().rails.at(0);
}

TEST(EnergyMeter, ANewOneHasMeasuredNothing) {
  const EnergyMeter meter(2, longest_step);
  EXPECT_EQ(meter.reading().samples, 0u);
  EXPECT_EQ(meter.reading().rails.size(), 2u);
  EXPECT_EQ(meter.reading().rails[0], MeterReading::Channel{});
  EXPECT_FALSE(meter.last());
}

TEST(EnergyMeter, OneSampleIsNoEnergyYet) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {50}));
  EXPECT_EQ(only_rail(meter), MeterReading::Channel{});
  EXPECT_EQ(meter.reading().samples, 1u);
  EXPECT_EQ(meter.reading().at, at(0));
}

TEST(EnergyMeter, ConstantPowerIsPowerTimesTime) {
  EnergyMeter meter(1, longest_step);
  for (int i = 0; i <= 100; ++i) meter.add(sample(i * 0.1, {13.8}));
  EXPECT_NEAR(only_rail(meter).integral, 138, 1e-9);
  EXPECT_EQ(only_rail(meter).covered, seconds(10));
}

TEST(EnergyMeter, LinearPowerIsIntegratedExactlyHoweverUnevenTheSteps) {
  EnergyMeter meter(1, longest_step);
  std::mt19937 random(3);
  double s = 0;
  while (s < 10) {
    meter.add(sample(s, {4 + 3 * s}));
    s += std::uniform_real_distribution<double>(0.001, 0.2)(random);
  }
  meter.add(sample(10, {34}));
  EXPECT_NEAR(only_rail(meter).integral, 4 * 10 + 3 * 10 * 10 / 2.0, 1e-6);
}

TEST(EnergyMeter, NegativeWattsStayAndTakeEnergyAway) {
  EnergyMeter meter(1, longest_step);
  for (int i = 0; i <= 10; ++i) meter.add(sample(i * 0.1, {-0.4}));
  EXPECT_NEAR(only_rail(meter).integral, -0.4, 1e-9);
}

TEST(EnergyMeter, ATooLongStepIsAGapAndAddsNothing) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(0.25, {10}));
  meter.add(sample(0.51, {10}));
  EXPECT_NEAR(only_rail(meter).integral, 2.5, 1e-9);
  EXPECT_EQ(only_rail(meter).covered, seconds(0.25));
  EXPECT_EQ(gap_since(meter, 0), seconds(0.51) - seconds(0.25));
}

TEST(EnergyMeter, AMissingValueIsAGapHoweverShort) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(0.1, {missing}));
  meter.add(sample(0.2, {10}));
  EXPECT_EQ(only_rail(meter), MeterReading::Channel{});
  EXPECT_EQ(gap_since(meter, 0), seconds(0.2));
}

TEST(EnergyMeter, AValueThatIsNoNumberWasNotMeasured) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}, 50.0));
  meter.add(sample(0.1, {nan}, nan));
  meter.add({.at = at(0.2), .rails = {Watts{-std::numeric_limits<double>::infinity()}}, .gpu_load_percent = {}});
  meter.add(sample(0.3, {10}, 50.0));
  meter.add(sample(0.4, {10}, 50.0));
  EXPECT_NEAR(only_rail(meter).integral, 1.0, 1e-9);
  EXPECT_NEAR(meter.reading().gpu_load.integral, 5.0, 1e-9);
  EXPECT_EQ(only_rail(meter).covered, seconds(0.4) - seconds(0.3));
}

TEST(EnergyMeter, TheLastSampleShowsNothingThatIsNoNumber) {
  EnergyMeter meter(2, longest_step);
  meter.add(sample(0, {nan, 3}, nan));
  ASSERT_TRUE(meter.last());
  EXPECT_EQ(meter.last()->rails[0], std::nullopt);
  EXPECT_EQ(meter.last()->rails[1], Watts{3});
  EXPECT_EQ(meter.last()->gpu_load_percent, std::nullopt);
}

TEST(EnergyMeter, OneBrokenRailDoesNotTouchTheOthers) {
  EnergyMeter meter(2, longest_step);
  for (int i = 0; i <= 10; ++i) meter.add(sample(i * 0.1, {10, i == 5 ? missing : 2.0}));
  EXPECT_NEAR(meter.reading().rails[0].integral, 10, 1e-9);
  EXPECT_NEAR(meter.reading().rails[1].integral, 1.6, 1e-9);
  EXPECT_EQ(gap_since(meter, 0, {0}), Duration{0});
  EXPECT_EQ(gap_since(meter, 0, {1}), seconds(0.6) - seconds(0.4));
  EXPECT_EQ(gap_since(meter, 0, {0, 1}), seconds(0.6) - seconds(0.4));
}

TEST(EnergyMeter, ASampleWithTooFewRailsLacksTheOthersAndTooManyAreCutOff) {
  EnergyMeter meter(2, longest_step);
  meter.add(sample(0, {10, 1}));
  meter.add(sample(0.1, {10}));
  meter.add(sample(0.2, {10, 1, 99}));
  EXPECT_NEAR(meter.reading().rails[0].integral, 2, 1e-9);
  EXPECT_EQ(meter.reading().rails[1], MeterReading::Channel{});
  EXPECT_EQ(meter.last()->rails.size(), 2u);
}

TEST(EnergyMeter, SamplesThatAreNotLaterAreIgnored) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(0.2, {10}));
  const MeterReading before = meter.reading();
  meter.add(sample(0.2, {99}));
  meter.add(sample(0.1, {99}));
  EXPECT_EQ(meter.reading(), before);
}

TEST(EnergyMeter, SamplesOlderThanAPauseAreIgnoredToo) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(5, {10}));
  meter.pause();
  meter.add(sample(4, {10}));
  EXPECT_EQ(meter.reading().at, at(5));
  EXPECT_EQ(meter.reading().samples, 1u);
}

TEST(EnergyMeter, NothingIsIntegratedOverAPauseHoweverShort) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}, 50.0));
  meter.pause();
  EXPECT_FALSE(meter.last());
  meter.add(sample(0.1, {10}, 50.0));
  EXPECT_EQ(only_rail(meter), MeterReading::Channel{});
  EXPECT_EQ(meter.reading().gpu_load, MeterReading::Channel{});
  meter.add(sample(0.2, {10}, 50.0));
  EXPECT_NEAR(only_rail(meter).integral, 1, 1e-9);
}

TEST(EnergyMeter, LoadIsIntegratedLikeARail) {
  EnergyMeter meter(0, longest_step);
  for (int i = 0; i <= 10; ++i) meter.add(sample(i * 0.1, {}, i < 5 ? 0.0 : 100.0));
  EXPECT_NEAR(meter.reading().gpu_load.integral, 55, 1e-9);
  EXPECT_EQ(meter.reading().gpu_load.covered, seconds(1));
}

TEST(LongestGap, ARailMissingFromTheStartIsAGapUntilItsFirstValue) {
  EnergyMeter meter(1, longest_step);
  for (int i = 0; i < 20; ++i) meter.add(sample(i * 0.1, {missing}));
  for (int i = 20; i < 25; ++i) meter.add(sample(i * 0.1, {10}));
  EXPECT_EQ(gap_since(meter, 0), seconds(2));
  EXPECT_EQ(gap_since(meter, 1.5), seconds(2) - seconds(1.5));
}

TEST(LongestGap, ARailThatNeverCameIsOneGap) {
  EnergyMeter meter(1, longest_step);
  for (int i = 0; i <= 20; ++i) meter.add(sample(i * 0.1, {missing}));
  EXPECT_EQ(gap_since(meter, 0), seconds(2));
}

TEST(LongestGap, ARailMissingAfterAPauseIsAGapUntilItsNextValue) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.pause();
  meter.add(sample(100, {missing}));
  meter.add(sample(103, {10}));
  EXPECT_EQ(gap_since(meter, 100), seconds(3));
  EXPECT_EQ(gap_since(meter, 0), seconds(103));
}

TEST(LongestGap, ARailStillMissingIsAGapUpToNow) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(0.1, {10}));
  meter.add(sample(0.2, {missing}));
  meter.add(sample(1.1, {missing}));
  EXPECT_EQ(gap_since(meter, 0), seconds(1));
}

TEST(LongestGap, SamplesThatDoNotComeAreAGapUpToTheEndAskedFor) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  const std::vector<std::size_t> rail{0};
  EXPECT_EQ(meter.longest_gap(at(0), at(7), rail), seconds(7));
  EXPECT_EQ(meter.longest_gap(at(5), at(7), rail), seconds(2));
}

TEST(LongestGap, OnlyWhatLiesAfterTheBeginningCounts) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {10}));
  meter.add(sample(10, {10}));
  meter.add(sample(10.1, {10}));
  meter.add(sample(13.1, {10}));
  EXPECT_EQ(gap_since(meter, 0), seconds(10));
  EXPECT_EQ(gap_since(meter, 8), seconds(13.1) - seconds(10.1));
  EXPECT_EQ(gap_since(meter, 12), seconds(13.1) - seconds(12));
  EXPECT_EQ(gap_since(meter, 13.1), Duration{0});
}

TEST(LongestGap, OfNoRailsIsNothing) {
  EnergyMeter meter(1, longest_step);
  meter.add(sample(0, {missing}));
  meter.add(sample(5, {missing}));
  EXPECT_EQ(gap_since(meter, 0, {}), Duration{0});
}

/// Gaps, each a little shorter than the one before: the meter keeps a bounded number, and must never understate.
TEST(LongestGap, IsNeverUnderstatedByALongChainOfEverShorterGaps) {
  EnergyMeter meter(1, longest_step);
  std::vector<double> ends;
  double s = 0;
  meter.add(sample(s, {10}));
  for (int i = 0; i < 300; ++i) {
    s += 10 - i * 0.03;
    meter.add(sample(s, {10}));
    ends.push_back(s);
    s += 0.1;
    meter.add(sample(s, {10}));
  }
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const Duration truth = seconds(10 - static_cast<double>(i + 1) * 0.03);
    const Duration told = gap_since(meter, ends[i]);
    ASSERT_GE(told + Duration{1000}, truth) << "since the end of gap " << i;
    ASSERT_LE(told, truth + seconds(0.5)) << "since the end of gap " << i;
  }
}

/// One random history of a meter with two rails: samples, broken values, pauses.
struct Step {
  double s;
  std::vector<double> watts;
  bool pause_before;
};
std::vector<Step> random_history(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Step> steps;
  double s = unit(random);
  const int count = 2 + static_cast<int>(unit(random) * 40);
  for (int i = 0; i < count; ++i) {
    const auto watts = [&] { return unit(random) < 0.2 ? missing : unit(random) * 60 - 1; };
    steps.push_back({s, {watts(), watts()}, unit(random) < 0.05});
    s += unit(random) < 0.15 ? 0.3 + unit(random) * 2 : 0.01 + unit(random) * 0.2;
  }
  return steps;
}
void play(EnergyMeter& meter, const Step& step) {
  if (step.pause_before) meter.pause();
  meter.add(sample(step.s, step.watts));
}

/// Whether the time between samples i-1 and i was measured on a rail.
bool measured_before(const std::vector<Step>& steps, std::size_t i, std::size_t rail) {
  return !steps[i].pause_before && steps[i - 1].watts[rail] != missing && steps[i].watts[rail] != missing &&
         at(steps[i].s) - at(steps[i - 1].s) <= longest_step;
}

/// The longest stretch in [since, last sample] with neither a value nor a measured step, found by asking of every pair
/// of neighbouring values, from every beginning anew.
Duration naive_longest_gap(const std::vector<Step>& steps, double since, std::size_t rail) {
  Duration longest{0};
  Instant value_before{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].watts[rail] == missing) continue;
    if (i == 0 || !measured_before(steps, i, rail))
      longest = std::max(longest, at(steps[i].s) - std::max(value_before, at(since)));
    value_before = at(steps[i].s);
  }
  return std::max(longest, at(steps.back().s) - std::max(value_before, at(since)));
}

TEST(EnergyMeterProperty, LongestGapIsWhatANaiveWalkOverAllSamplesFinds) {
  std::mt19937 random(11);
  for (int round = 0; round < 1500; ++round) {
    const std::vector<Step> steps = random_history(random);
    EnergyMeter meter(2, longest_step);
    for (const Step& step : steps) play(meter, step);
    for (const Step& since : steps) {
      for (const std::size_t rail : {0u, 1u})
        ASSERT_EQ(gap_since(meter, since.s, {rail}), naive_longest_gap(steps, since.s, rail))
            << "round " << round << ", since " << since.s << ", rail " << rail;
      ASSERT_EQ(gap_since(meter, since.s, {0, 1}),
                std::max(naive_longest_gap(steps, since.s, 0), naive_longest_gap(steps, since.s, 1)));
    }
  }
}

TEST(EnergyMeterProperty, EnergyAndCoverageAreThoseOfTheMeasuredStepsAndAdditiveOverAnySplit) {
  std::mt19937 random(12);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Step> steps = random_history(random);
    EnergyMeter meter(2, longest_step);
    std::vector<MeterReading> readings;
    for (const Step& step : steps) {
      play(meter, step);
      readings.push_back(meter.reading());
    }
    for (const std::size_t rail : {0u, 1u}) {
      std::vector<double> energy{0};
      std::vector<Duration> covered{Duration{0}};
      for (std::size_t i = 1; i < steps.size(); ++i) {
        const bool measured = measured_before(steps, i, rail);
        const double watts = (steps[i].watts[rail] + steps[i - 1].watts[rail]) / 2;
        energy.push_back(energy.back() + (measured ? watts * (steps[i].s - steps[i - 1].s) : 0));
        covered.push_back(covered.back() + (measured ? at(steps[i].s) - at(steps[i - 1].s) : Duration{0}));
      }
      for (std::size_t a = 0; a < readings.size(); a += 3) {
        for (std::size_t b = a; b < readings.size(); b += 2) {
          ASSERT_NEAR(readings[b].rails[rail].integral - readings[a].rails[rail].integral, energy[b] - energy[a], 1e-6);
          ASSERT_EQ(readings[b].rails[rail].covered - readings[a].rails[rail].covered, covered[b] - covered[a]);
        }
      }
    }
  }
}

TEST(EnergyMeterProperty, CoverageNeverFallsNorExceedsTheTimePassed) {
  std::mt19937 random(13);
  for (int round = 0; round < 200; ++round) {
    EnergyMeter meter(2, longest_step);
    MeterReading before = meter.reading();
    for (const Step& step : random_history(random)) {
      play(meter, step);
      const MeterReading now = meter.reading();
      for (const std::size_t rail : {0u, 1u}) {
        const Duration gained = now.rails[rail].covered - before.rails[rail].covered;
        ASSERT_GE(gained, Duration{0});
        ASSERT_LE(gained, now.at - before.at);
      }
      before = now;
    }
  }
}

}  // namespace
}  // namespace sweetspot
