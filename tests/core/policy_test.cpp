// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/boards.hpp"

namespace sweetspot {
namespace {

using testing::HasSubstr;
using testing::Not;

const JobSpec deep_and_short{.layers = 24, .mean_sequence_length = 14};

Decision on_agx_orin(const JobSpec& spec, const PolicySettings& settings = {}) {
  const BoardClocks clocks = agx_orin_clocks();
  return decide(spec, settings, &clocks);
}

PolicySettings with_tree(std::vector<FeatureRange> ranges = {}) {
  PolicySettings settings;
  settings.tree =
      DecisionTree::from({.name = "fitted",
                          .nodes = {{.feature = Feature::hidden_size, .threshold = 768, .below = 1, .above = 2},
                                    {.clock = megahertz(408)},
                                    {.clock = megahertz(918)}},
                          .training_ranges = std::move(ranges)})
          .value();
  return settings;
}

TEST(Decide, MlgIsTheDefaultAndSaysWhichQuestionsItAsked) {
  const Decision decision = on_agx_orin(deep_and_short);
  EXPECT_EQ(decision, (Decision{.policy = "mlg",
                                .frequency = megahertz(714),
                                .reason = "layers 24 > 7, mean_sequence_length 14 <= 53: 714 MHz",
                                .path = {"layers 24 > 7", "mean_sequence_length 14 <= 53"}}));
}

TEST(Decide, FfgGivesEveryJobTheConfiguredClock) {
  PolicySettings settings;
  settings.ffg_clock = megahertz(816);
  for (const JobSpec& spec :
       {JobSpec{.policy = "ffg"}, JobSpec{.layers = 4, .mean_sequence_length = 9, .policy = "ffg"}}) {
    const Decision decision = on_agx_orin(spec, settings);
    EXPECT_EQ(decision.policy, "ffg");
    EXPECT_EQ(decision.frequency, megahertz(816));
    EXPECT_FALSE(decision.fallback);
  }
}

TEST(Decide, FixedGivesTheClockTheJobAsksFor) {
  const Decision decision = on_agx_orin({.policy = "fixed", .frequency = megahertz(1122)});
  EXPECT_EQ(decision.policy, "fixed");
  EXPECT_EQ(decision.frequency, megahertz(1122));
  EXPECT_EQ(decision.clamped_from, std::nullopt);
}

TEST(Decide, AClockWithoutAPolicyMeansFixed) {
  EXPECT_EQ(on_agx_orin({.frequency = megahertz(1122)}).policy, "fixed");
}

TEST(Decide, NonePinsNothing) {
  const Decision decision = on_agx_orin({.policy = "none"});
  EXPECT_EQ(decision.policy, "none");
  EXPECT_EQ(decision.frequency, std::nullopt);
  EXPECT_FALSE(decision.fallback);
}

TEST(Decide, TreeAsksTheConfiguredTree) {
  EXPECT_EQ(on_agx_orin({.hidden_size = 768, .policy = "tree"}, with_tree()).frequency, megahertz(408));
  const Decision decision = on_agx_orin({.hidden_size = 1024, .policy = "tree"}, with_tree());
  EXPECT_EQ(decision.policy, "tree");
  EXPECT_EQ(decision.frequency, megahertz(918));
  EXPECT_THAT(decision.path, testing::ElementsAre("hidden_size 1024 > 768"));
}

TEST(Decide, TheConfiguredPolicyIsForJobsThatNameNone) {
  PolicySettings settings;
  settings.policy = Policy::none;
  EXPECT_EQ(on_agx_orin(deep_and_short, settings).policy, "none");
  JobSpec asks_for_mlg = deep_and_short;
  asks_for_mlg.policy = "mlg";
  EXPECT_EQ(on_agx_orin(asks_for_mlg, settings).policy, "mlg");
}

void expect_fallback(const Decision& decision, const std::string& why) {
  EXPECT_TRUE(decision.fallback);
  EXPECT_EQ(decision.policy, "ffg");
  EXPECT_EQ(decision.frequency, megahertz(612));
  EXPECT_THAT(decision.reason, HasSubstr(why));
  EXPECT_THAT(decision.reason, HasSubstr("612 MHz"));
}

TEST(Decide, FallsBackToFfgForEveryMissingFeatureAndSaysWhichOne) {
  expect_fallback(on_agx_orin({}), "policy mlg cannot answer: the job gives no layers");
  expect_fallback(on_agx_orin({.mean_sequence_length = 40}), "the job gives no layers");
  expect_fallback(on_agx_orin({.layers = 12}), "the job gives no mean_sequence_length");
  expect_fallback(on_agx_orin({.layers = 12, .policy = "tree"}, with_tree()),
                  "policy tree cannot answer: the job gives no hidden_size");
}

TEST(Decide, FallsBackToFfgWithoutATreeAndOutsideItsTrainingRange) {
  expect_fallback(on_agx_orin({.hidden_size = 768, .policy = "tree"}), "no tree file is configured");
  expect_fallback(on_agx_orin({.hidden_size = 4096, .policy = "tree"}, with_tree({{Feature::hidden_size, 128, 1536}})),
                  "hidden_size 4096 is outside the tree's training range 128 to 1536");
}

TEST(Decide, FallsBackToFfgWhenTheConfiguredPolicyIsFixedAndTheJobGivesNoClock) {
  PolicySettings settings;
  settings.policy = Policy::fixed;
  expect_fallback(on_agx_orin(deep_and_short, settings), "the job gives no frequency_hz");
}

TEST(Decide, MapsToTheNearestClockOfAnotherBoardAndSaysSo) {
  const BoardClocks xavier{agx_xavier_table(), megahertz(1377)};
  const Decision decision = decide(deep_and_short, {}, &xavier);
  EXPECT_EQ(decision.frequency, megahertz(675.75));
  EXPECT_EQ(decision.clamped_from, megahertz(714));
  EXPECT_THAT(decision.reason, HasSubstr("675.75 MHz is the nearest clock of this board"));
}

TEST(Decide, MapsToTheTopOfABoardThatIsSlowerThanTheWish) {
  const BoardClocks nano{orin_nano_table(), megahertz(624.75)};
  EXPECT_EQ(decide(deep_and_short, {}, &nano).frequency, megahertz(624.75));
}

TEST(Decide, ReportsNothingClampedWhereTheBoardHasTheClock) {
  EXPECT_EQ(on_agx_orin(deep_and_short).clamped_from, std::nullopt);
}

TEST(Decide, NeverGoesAboveTheCapAndSaysSo) {
  const BoardClocks capped{agx_orin_table(), megahertz(612)};
  const Decision decision = decide(deep_and_short, {}, &capped);
  EXPECT_EQ(decision.frequency, megahertz(612));
  EXPECT_EQ(decision.clamped_from, megahertz(714));
  EXPECT_THAT(decision.reason, HasSubstr("cut to 612 MHz by the board's cap 612 MHz"));
}

TEST(Decide, TakesTheHighestEntryBelowACapThatIsNoEntry) {
  const BoardClocks capped{agx_orin_table(), megahertz(650)};
  EXPECT_EQ(decide(deep_and_short, {}, &capped).frequency, megahertz(612));
}

TEST(Decide, PinsNothingWhenTheCapIsBelowTheTable) {
  const BoardClocks capped{agx_orin_table(), megahertz(200)};
  const Decision decision = decide(deep_and_short, {}, &capped);
  EXPECT_EQ(decision.frequency, std::nullopt);
  EXPECT_EQ(decision.clamped_from, megahertz(714));
  EXPECT_THAT(decision.reason, HasSubstr("nothing is pinned"));
}

TEST(Decide, WithoutAGpuNodeAnswersThePolicysOwnClockAndSaysItIsNotMapped) {
  const Decision decision = decide(deep_and_short, {}, nullptr);
  EXPECT_EQ(decision.frequency, megahertz(714));
  EXPECT_EQ(decision.clamped_from, std::nullopt);
  EXPECT_THAT(decision.reason, HasSubstr("not mapped"));
}

TEST(Decide, EveryPolicyOnEveryBoardAnswersAClockOfTheTableWithinTheCap) {
  std::vector<JobSpec> specs;
  for (const std::int64_t layers : {1, 7, 8, 48}) {
    for (const double length : {1.0, 32.5, 53.0, 512.0})
      specs.push_back({.layers = layers, .hidden_size = layers * 64, .mean_sequence_length = length});
  }
  for (const char* policy : {"mlg", "ffg", "tree"}) specs.push_back({.hidden_size = 800, .policy = policy});
  for (double mhz = 1; mhz < 2000; mhz += 37) specs.push_back({.policy = "fixed", .frequency = megahertz(mhz)});
  for (const FrequencyTable& table : {agx_orin_table(), orin_nano_table(), agx_xavier_table()}) {
    for (const Hertz cap : table.clocks()) {
      const BoardClocks clocks{table, cap};
      for (const JobSpec& spec : specs) {
        const auto clock = decide(spec, with_tree(), &clocks).frequency;
        ASSERT_TRUE(clock);
        ASSERT_TRUE(table.contains(*clock));
        ASSERT_LE(*clock, cap);
      }
    }
  }
}

TEST(Decide, SaysThatWishesNoPolicyLooksAtWereNotConsidered) {
  EXPECT_THAT(on_agx_orin(deep_and_short).reason, Not(HasSubstr("not considered")));
  JobSpec spec = deep_and_short;
  spec.max_slowdown = 1.2;
  spec.finish_within_s = 600;
  EXPECT_THAT(on_agx_orin(spec).reason, HasSubstr("max_slowdown is not considered by policy mlg"));
  EXPECT_THAT(on_agx_orin(spec).reason, HasSubstr("finish_within_s is not considered by policy mlg"));
  EXPECT_EQ(on_agx_orin(spec).frequency, megahertz(714));
}

Decision after(double load, const BoardClocks* clocks) {
  return after_second_stage(decide(deep_and_short, {}, clocks), load, SecondStage{}, clocks);
}

TEST(SecondStage, ALoadOfExactlyTheLimitRaisesTheClock) {
  const BoardClocks clocks = agx_orin_clocks();
  const Decision decision = after(22.0, &clocks);
  EXPECT_EQ(decision.policy, "mlg");
  EXPECT_EQ(decision.frequency, megahertz(1020));
  EXPECT_EQ(
      decision.reason,
      "layers 24 > 7, mean_sequence_length 14 <= 53: 714 MHz; second stage: mean GPU load 22.0 % <= 22.0 %: 1020 MHz");
  EXPECT_THAT(decision.path,
              testing::ElementsAre("layers 24 > 7", "mean_sequence_length 14 <= 53", "mean GPU load 22.0 % <= 22.0 %"));
}

TEST(SecondStage, ALoadAboveTheLimitKeepsTheClockAndSaysSo) {
  const BoardClocks clocks = agx_orin_clocks();
  for (const double load : {22.000001, 22.1, 50.0, 100.0}) {
    EXPECT_EQ(after(load, &clocks).frequency, megahertz(714)) << load;
    EXPECT_THAT(after(load, &clocks).reason, HasSubstr("the clock stays"));
    EXPECT_EQ(after(load, &clocks).path.size(), 2u);
  }
}

TEST(SecondStage, ALoadThatIsNoNumberKeepsTheClock) {
  const BoardClocks clocks = agx_orin_clocks();
  EXPECT_EQ(after(std::numeric_limits<double>::quiet_NaN(), &clocks).frequency, megahertz(714));
}

TEST(SecondStage, ItsClockIsMappedToTheBoardAndItsCapToo) {
  const BoardClocks xavier{agx_xavier_table(), megahertz(1377)};
  EXPECT_EQ(after(10, &xavier).frequency, megahertz(1032.75));
  EXPECT_EQ(after(10, &xavier).clamped_from, megahertz(1020));
  const BoardClocks capped{agx_orin_table(), megahertz(816)};
  EXPECT_EQ(after(10, &capped).frequency, megahertz(816));
}

TEST(SecondStage, NoLongerReportsTheFirstClockAsClampedWhenTheBoardHasTheSecond) {
  const BoardClocks clocks{table_of({612, 1020}), megahertz(1020)};
  ASSERT_EQ(decide(deep_and_short, {}, &clocks).clamped_from, megahertz(714));
  EXPECT_EQ(after(10, &clocks).frequency, megahertz(1020));
  EXPECT_EQ(after(10, &clocks).clamped_from, std::nullopt);
}

TEST(SecondStage, FollowsOnlyAnAnswerOfMlgAndOnlyWhenItIsOn) {
  PolicySettings settings;
  EXPECT_TRUE(has_second_stage(on_agx_orin(deep_and_short), settings));
  EXPECT_FALSE(has_second_stage(on_agx_orin({}), settings)) << "a fallback is not mlg's answer";
  EXPECT_FALSE(has_second_stage(on_agx_orin({.policy = "ffg"}), settings));
  EXPECT_FALSE(has_second_stage(on_agx_orin({.policy = "none"}), settings));
  settings.second_stage.enabled = false;
  EXPECT_FALSE(has_second_stage(on_agx_orin(deep_and_short), settings));
}

}  // namespace
}  // namespace sweetspot
