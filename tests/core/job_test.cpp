// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/job.hpp"

#include <gtest/gtest.h>

#include "core/world.hpp"

namespace sweetspot {
namespace {

TEST(JobState, IsPendingUntilItsFirstSampleAndItsClock) {
  World world;
  const JobId id = world.start(wants_714);
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::pending);
  world.sample();
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::pending);
  world.obey();
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::active);
  ASSERT_FALSE(world.governor.end(id, 1000, world.now));
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::ending);
}

TEST(JobState, AJobThatWishesForNoClockNeedsOnlyItsFirstSample) {
  World world;
  const JobId id = world.start(wants_no_clock);
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::pending);
  world.sample();
  EXPECT_EQ(state_of(world.job(id), world.governor.clock()), JobState::active);
}

TEST(JobState, NamesOfStatesAndEndsAreDistinct) {
  EXPECT_EQ(name_of(JobState::pending), "pending");
  EXPECT_EQ(name_of(JobState::active), "active");
  EXPECT_EQ(name_of(JobState::ending), "ending");
  EXPECT_EQ(name_of(EndedBy::client), "client");
  EXPECT_EQ(name_of(EndedBy::lost), "lost");
  EXPECT_EQ(name_of(EndedBy::expired), "expired");
  EXPECT_EQ(name_of(EndedBy::interrupted), "interrupted");
}

}  // namespace
}  // namespace sweetspot
