// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "made_up_board.hpp"

// Whether GPU load times clock can stand in for the progress that a job does not report. It depends on what the load
// counts, and what the kernel's counts is not known: docs/policies.md draws the conclusion.
namespace sweetspot {
namespace {

using tests::MadeUpBoard;

/// How far the clock with the least joules per load and cycle lies above the best one, at 95 % of boards.
double p95_regret(bool stalls_count) {
  std::vector<double> regrets;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const MadeUpBoard board(MadeUpBoard::Kind::usual, seed);
    std::vector<double> by_load;
    for (std::size_t i = 0; i < board.mhz.size(); ++i) {
      const double share = board.mhz[i] / board.mhz.back();
      const double load = stalls_count ? 1 : 1 / (share * board.step_seconds[i]);
      by_load.push_back(board.joules[i] / (load * share * board.step_seconds[i]));
    }
    const auto found = static_cast<std::size_t>(std::min_element(by_load.begin(), by_load.end()) - by_load.begin());
    regrets.push_back(board.joules[found] / *std::min_element(board.joules.begin(), board.joules.end()) - 1);
  }
  std::sort(regrets.begin(), regrets.end());
  return regrets[380 - 1];
}

TEST(LoadAsProgress, FindsTheBestClockWhereLoadCountsOnlyWork) {
  EXPECT_LT(p95_regret(false), 0.001);
}

TEST(LoadAsProgress, IsFarFromTheBestClockWhereWaitingForMemoryCountsAsLoad) {
  EXPECT_GT(p95_regret(true), 0.1);
}

}  // namespace
}  // namespace sweetspot
