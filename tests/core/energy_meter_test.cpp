// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/energy_meter.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/meter_samples.hpp"

namespace sweetspot {
namespace {

using namespace meter_samples;

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

}  // namespace
}  // namespace sweetspot
