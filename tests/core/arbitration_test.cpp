// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/arbitration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sweetspot {
namespace {

constexpr Arbitration every_rule[] = {Arbitration::highest, Arbitration::newest, Arbitration::lowest};

const std::vector<ClockWish> three_jobs{
    {1, megahertz(714)}, {2, std::nullopt}, {3, megahertz(510)}, {4, megahertz(612)}};

TEST(Arbitration, HighestLetsNobodyRunSlowerThanItsOwnOptimum) {
  EXPECT_EQ(arbitrate(three_jobs, Arbitration::highest), megahertz(714));
}

TEST(Arbitration, NewestFollowsTheJobStartedLast) {
  EXPECT_EQ(arbitrate(three_jobs, Arbitration::newest), megahertz(612));
}

TEST(Arbitration, LowestFollowsTheSlowestWish) {
  EXPECT_EQ(arbitrate(three_jobs, Arbitration::lowest), megahertz(510));
}

TEST(Arbitration, NewestPassesOverANewestJobWithoutAWish) {
  EXPECT_EQ(arbitrate(std::vector<ClockWish>{{1, megahertz(714)}, {2, std::nullopt}}, Arbitration::newest),
            megahertz(714));
}

TEST(Arbitration, IsEmptyExactlyWhenNobodyWishes) {
  for (const Arbitration rule : every_rule) {
    EXPECT_EQ(arbitrate({}, rule), std::nullopt);
    EXPECT_EQ(arbitrate(std::vector<ClockWish>{{1, std::nullopt}, {2, std::nullopt}}, rule), std::nullopt);
    EXPECT_NE(arbitrate(std::vector<ClockWish>{{1, std::nullopt}, {2, megahertz(306)}}, rule), std::nullopt);
  }
}

TEST(Arbitration, AnswersOneOfTheWishesWhateverTheirOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<ClockWish> wishes;
    const int count = std::uniform_int_distribution<int>(0, 6)(random);
    for (int id = 0; id < count; ++id) {
      const int step = std::uniform_int_distribution<int>(0, 5)(random);
      wishes.push_back({id, step == 0 ? std::nullopt : std::optional(megahertz(step * 102))});
    }
    for (const Arbitration rule : every_rule) {
      const auto answer = arbitrate(wishes, rule);
      const auto same = [&](const ClockWish& wish) { return wish.clock == answer; };
      if (answer) {
        ASSERT_TRUE(std::any_of(wishes.begin(), wishes.end(), same));
      }
      auto shuffled = wishes;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      ASSERT_EQ(arbitrate(shuffled, rule), answer);
      for (const ClockWish& wish : wishes) {
        if (!wish.clock) continue;
        if (rule == Arbitration::highest) {
          ASSERT_GE(*answer, *wish.clock);
        }
        if (rule == Arbitration::lowest) {
          ASSERT_LE(*answer, *wish.clock);
        }
      }
    }
  }
}

TEST(Arbitration, NamesReadBack) {
  for (const Arbitration rule : every_rule) EXPECT_EQ(arbitration_named(name_of(rule)), rule);
  EXPECT_EQ(arbitration_named("fastest"), std::nullopt);
}

}  // namespace
}  // namespace sweetspot
