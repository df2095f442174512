// SPDX-License-Identifier: Apache-2.0
#include "service/event_loop.hpp"

#include <gtest/gtest.h>
#include <sys/epoll.h>

#include "service/wakeup.hpp"

namespace sweetspot::tests {
namespace {

TEST(EventLoop, WorkThatIsPutOffAgainAndAgainDoesNotStarveWhatComesIn) {
  auto loop = *EventLoop::create();
  auto bell = *Wakeup::create();
  int turns = 0;
  int turns_before_the_bell = -1;
  EventLoop::Source work = loop.deferred([&] {
    if (++turns == 10) bell.ring();
    if (turns < 1000) {
      work.defer();
    } else {
      loop.stop(0);
    }
  });
  auto heard = loop.add_io(bell.fd(), EPOLLIN, "bell", [&](std::uint32_t) {
    bell.take();
    turns_before_the_bell = turns;
  });
  ASSERT_TRUE(heard);
  work.defer();
  EXPECT_EQ(loop.run(), 0);
  EXPECT_GE(turns_before_the_bell, 10);
  EXPECT_LE(turns_before_the_bell, 13);
}

TEST(EventLoop, WorkThatIsPutOffTwiceRunsOnce) {
  auto loop = *EventLoop::create();
  int runs = 0;
  EventLoop::Source work = loop.deferred([&] { ++runs; });
  work.defer();
  work.defer();
  auto end = loop.add_timer("end", [&] { loop.stop(0); });
  ASSERT_TRUE(end);
  end->arm(EventLoop::now() + std::chrono::milliseconds(5));
  EXPECT_EQ(loop.run(), 0);
  EXPECT_EQ(runs, 1);
}

TEST(EventLoop, WorkThatIsPutOffGoesWithItsSource) {
  auto loop = *EventLoop::create();
  int runs = 0;
  EventLoop::Source work = loop.deferred([&] { ++runs; });
  work.defer();
  work = {};
  auto end = loop.add_timer("end", [&] { loop.stop(0); });
  ASSERT_TRUE(end);
  end->arm(EventLoop::now() + std::chrono::milliseconds(5));
  EXPECT_EQ(loop.run(), 0);
  EXPECT_EQ(runs, 0);
}

}  // namespace
}  // namespace sweetspot::tests
