// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/mlg.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sweetspot {
namespace {

Hertz clock_for(std::int64_t layers, double length) {
  return mlg_tree().decide({.layers = layers, .mean_sequence_length = length}).value().clock;
}

TEST(Mlg, ShallowModelsWithShortSequencesGet510) {
  EXPECT_EQ(clock_for(6, 14.0), megahertz(510));
}
TEST(Mlg, ShallowModelsWithLongSequencesGet612) {
  EXPECT_EQ(clock_for(6, 51.0), megahertz(612));
}
TEST(Mlg, DeepModelsWithShortSequencesGet714) {
  EXPECT_EQ(clock_for(24, 14.0), megahertz(714));
}
TEST(Mlg, DeepModelsWithLongSequencesGet816) {
  EXPECT_EQ(clock_for(24, 55.0), megahertz(816));
}

TEST(Mlg, SevenLayersAreShallowAndEightAreDeep) {
  EXPECT_EQ(clock_for(7, 20), megahertz(510));
  EXPECT_EQ(clock_for(8, 20), megahertz(714));
  EXPECT_EQ(clock_for(7, 60), megahertz(612));
  EXPECT_EQ(clock_for(8, 60), megahertz(816));
}

TEST(Mlg, TheLengthThresholdsThemselvesCountAsShort) {
  EXPECT_EQ(clock_for(7, 32.5), megahertz(510));
  EXPECT_EQ(clock_for(7, std::nextafter(32.5, 33)), megahertz(612));
  EXPECT_EQ(clock_for(8, 53.0), megahertz(714));
  EXPECT_EQ(clock_for(8, std::nextafter(53.0, 54)), megahertz(816));
}

TEST(Mlg, EachSideHasItsOwnLengthThreshold) {
  EXPECT_EQ(clock_for(7, 53.0), megahertz(612));
  EXPECT_EQ(clock_for(8, 32.6), megahertz(714));
}

/// The rule as the paper prints it, written down a second time.
Hertz as_printed(std::int64_t layers, double length) {
  if (layers <= 7) return length <= 32.5 ? megahertz(510) : megahertz(612);
  return length <= 53.0 ? megahertz(714) : megahertz(816);
}

TEST(Mlg, AnswersAsPrintedOverADenseGrid) {
  for (std::int64_t layers = 1; layers <= 100; ++layers) {
    for (int quarter = 4; quarter <= 600; ++quarter) {
      const double length = quarter / 4.0;
      ASSERT_EQ(clock_for(layers, length), as_printed(layers, length)) << layers << " layers, length " << length;
    }
  }
}

TEST(Mlg, NeedsLayersAndLength) {
  EXPECT_EQ(mlg_tree().decide({.mean_sequence_length = 40}).error().reason, "the job gives no layers");
  EXPECT_EQ(mlg_tree().decide({.layers = 12}).error().reason, "the job gives no mean_sequence_length");
}

TEST(Mlg, TheSecondStageIsThePapersAndOn) {
  const SecondStage stage;
  EXPECT_TRUE(stage.enabled);
  EXPECT_EQ(stage.load_limit_percent, 22.0);
  EXPECT_EQ(stage.clock, megahertz(1020));
  EXPECT_EQ(stage.settle, seconds(10));
  EXPECT_EQ(stage.window, seconds(30));
}

}  // namespace
}  // namespace sweetspot
