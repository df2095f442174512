// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/world.hpp"

namespace sweetspot {
namespace {

TEST(SharedEnergy, IsDividedEquallyAmongTheJobsOfEachMoment) {
  World world;
  const JobId first = world.start(wants_no_clock);
  world.sample();
  world.run_for(10);
  const JobId second = world.start(wants_no_clock);
  world.sample();
  world.run_for(10);
  const EnergyRecord record_of_first = world.end(first);
  world.run_for(10);
  const EnergyRecord record_of_second = world.end(second);
  EXPECT_NEAR(record_of_first.energy->value, 240, 1e-6);
  EXPECT_NEAR(record_of_first.share->value, 180, 1e-6);
  EXPECT_NEAR(record_of_second.share->value, 180, 1e-6);
  EXPECT_EQ(record_of_first.shared_with, 1);
  EXPECT_EQ(record_of_second.shared_with, 1);
}

TEST(SharedEnergy, JobsThatNeverMetShareNothing) {
  World world;
  for (int i = 0; i < 3; ++i) {
    const JobId id = world.start(wants_no_clock);
    world.sample();
    world.run_for(1);
    const EnergyRecord record = world.end(id);
    EXPECT_EQ(record.shared_with, 0);
    EXPECT_NEAR(record.share->value, record.energy->value, 1e-9);
  }
}

/// Random jobs starting and ending while the rails draw random power: over the time that any job is metered, the shares
/// add up to what the board took, no joule twice, none lost.
TEST(SharedEnergy, TheSharesOfAllJobsAddUpToTheBoardsEnergy) {
  std::mt19937 random(99);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 30; ++round) {
    World world;
    std::vector<JobId> running;
    EnergyMeter board(3, seconds(0.5));  // counts only while a job is metered
    for (int step = 0; step < 150; ++step) {
      world.watts = {unit(random) * 50, unit(random) * 5 - 0.4, unit(random) * 9};
      if (running.size() < 4 && unit(random) < 0.15) running.push_back(world.start(wants_no_clock));
      if (!running.empty() && unit(random) < 0.1) {
        const std::size_t which = std::uniform_int_distribution<std::size_t>(0, running.size() - 1)(random);
        world.governor.lose(running[which], EndedBy::lost, world.now);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
      }
      world.now += seconds(unit(random) < 0.05 ? 0.7 : 0.01 + unit(random) * 0.3);
      const bool metered = std::any_of(world.governor.jobs().begin(), world.governor.jobs().end(),
                                       [](const auto& entry) { return entry.second.first.has_value(); });
      if (!metered) board.pause();
      board.add({.at = world.now, .rails = {Watts{world.watts[0]}, Watts{world.watts[1]}}, .gpu_load_percent = {}});
      world.sample();
    }
    world.governor.interrupt_all(world.now);
    double shares = 0;
    for (const JobEnded& ended : world.seen<JobEnded>()) {
      if (ended.record.share) shares += ended.record.share->value;
    }
    const MeterReading taken = board.reading();
    ASSERT_NEAR(shares, taken.rails[0].integral + taken.rails[1].integral, 1e-6) << "round " << round;
  }
}

}  // namespace
}  // namespace sweetspot
