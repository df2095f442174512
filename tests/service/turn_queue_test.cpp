// SPDX-License-Identifier: Apache-2.0
#include "service/turn_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sweetspot::tests {
namespace {

std::vector<std::uint64_t> taken(TurnQueue& queue) {
  std::vector<std::uint64_t> order;
  while (const auto next = queue.pop()) order.push_back(*next);
  return order;
}

TEST(TurnQueue, GivesEveryUserATurnHoweverManyConnectionsEachHas) {
  TurnQueue queue;
  for (std::uint64_t id = 1; id <= 4; ++id) queue.push(1000, id);
  queue.push(0, 50);
  queue.push(1001, 60);
  queue.push(1001, 61);
  EXPECT_EQ(taken(queue), (std::vector<std::uint64_t>{1, 50, 60, 2, 61, 3, 4}));
  EXPECT_TRUE(queue.empty());
}

TEST(TurnQueue, LetsAUserInAfterOneTurnOfTheOther) {
  TurnQueue queue;
  for (std::uint64_t id = 1; id <= 250; ++id) queue.push(1000, id);
  EXPECT_EQ(queue.pop(), 1U);
  queue.push(1000, 1);
  queue.push(0, 999);
  EXPECT_EQ(queue.pop(), 2U);
  EXPECT_EQ(queue.pop(), 999U);
}

TEST(TurnQueue, HasNothingToGiveWhenNobodyWaits) {
  TurnQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.pop(), std::nullopt);
}

}  // namespace
}  // namespace sweetspot::tests
