// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "made_up_board.hpp"
#include "played_job.hpp"

namespace sweetspot {
namespace {

using tests::MadeUpBoard;
using tests::PlayedJob;
using Kind = MadeUpBoard::Kind;

constexpr unsigned boards = 20;
constexpr unsigned seeds = 5;

/// What jobs cost, each above the best arm of its board and above its start, as shares.
struct Outcome {
  std::vector<double> regrets;
  std::vector<double> above_start;
  std::vector<double> above_unpinned;  ///< of jobs that tried it

  [[nodiscard]] double mean_regret() const {
    double sum = 0;
    for (const double regret : regrets) sum += regret;
    return sum / static_cast<double>(regrets.size());
  }
  [[nodiscard]] static double p95(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(values.size()))) - 1];
  }
};

Outcome outcome_of(Kind kind, std::int64_t steps, double scatter) {
  Outcome outcome;
  for (unsigned number = 0; number < boards; ++number) {
    const MadeUpBoard board(kind, 1000 + number);
    const CurvePrior prior = CurvePrior::on(board.table(), megahertz(board.start_mhz), true);
    const double at_start = board.cost(in_megahertz(*prior.arms.clock(prior.start)));
    for (unsigned seed = 0; seed < seeds; ++seed) {
      AdaptivePolicy policy(prior, steps);
      PlayedJob job(
          policy, [&board](double mhz) { return board.cost(mhz); }, seed);
      job.scatters(scatter);
      job.play(steps);
      const double per_step = job.spent() / static_cast<double>(steps);
      outcome.regrets.push_back(per_step / board.least() - 1);
      outcome.above_start.push_back(per_step / at_start - 1);
      if (policy.uses().back().measured_steps > 0)
        outcome.above_unpinned.push_back(per_step / board.joules_unpinned - 1);
    }
  }
  return outcome;
}

TEST(AdaptiveBoards, CostAtMostOnePerCentMoreThanTheirStartInNineteenOfTwentyJobs) {
  for (const Kind kind : {Kind::usual, Kind::long_voltage_floor, Kind::spikes, Kind::memory_bound}) {
    for (const std::int64_t steps : {20, 100, 500}) {
      for (const double scatter : {0.01, 0.03}) {
        const Outcome outcome = outcome_of(kind, steps, scatter);
        EXPECT_LE(Outcome::p95(outcome.above_start), 0.01)
            << static_cast<int>(kind) << ", " << steps << " steps, " << scatter;
      }
    }
  }
}

TEST(AdaptiveBoards, CostAtMostOnePerCentMoreThanUnpinnedWhereThatWasTried) {
  for (const Kind kind : {Kind::usual, Kind::memory_bound}) {
    const Outcome outcome = outcome_of(kind, 2000, 0.01);
    if (outcome.above_unpinned.empty()) continue;
    EXPECT_LE(Outcome::p95(outcome.above_unpinned), 0.01) << static_cast<int>(kind);
  }
}

TEST(AdaptiveBoards, ComeWithinAPerCentOfTheBestInFiveHundredSteps) {
  EXPECT_LE(outcome_of(Kind::usual, 500, 0.01).mean_regret(), 0.01);
}

TEST(AdaptiveBoards, FindTheBestClockOfLongJobsThoughTheFormDoesNotFit) {
  for (const Kind kind : {Kind::usual, Kind::long_voltage_floor, Kind::spikes, Kind::memory_bound})
    EXPECT_LE(outcome_of(kind, 4000, 0.01).mean_regret(), 0.005) << static_cast<int>(kind);
}

}  // namespace
}  // namespace sweetspot
