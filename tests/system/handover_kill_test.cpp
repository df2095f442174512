// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <atomic>

#include "tests/system/handover_scene.hpp"

// kill -9 at every step of a hand-over: what the old daemon tells the service manager, and what the new one does to the
// board. ExecStopPost= restores each time, unless the mark was there already.
namespace sweetspot::tests {
namespace {

using HandOverKill = HandOverTest;

/// Kills the daemon at the n-th datagram from now on; true when there was one.
class DeathAtDatagram {
 public:
  DeathAtDatagram(FakeSystemd& manager, pid_t victim, int nth) : manager_(manager) {
    manager.watch([this, victim, nth](const std::string&) {
      if (++seen_ == nth) ::kill(victim, SIGKILL);
    });
  }
  ~DeathAtDatagram() { manager_.watch({}); }
  DeathAtDatagram(const DeathAtDatagram&) = delete;
  DeathAtDatagram& operator=(const DeathAtDatagram&) = delete;
  [[nodiscard]] int seen() const { return seen_; }

 private:
  FakeSystemd& manager_;
  std::atomic<int> seen_{0};
};

TEST_F(HandOverKill, KilledAtAnyMessageOfAHandOverTheClockIsRestoredByExecStopPost) {
  int killed = 0;
  for (int nth = 1; nth < 40; ++nth) {
    auto client = daemon().connect();
    auto job = pinned_job(client);
    manager().set_job("restart");
    std::optional<int> status;
    {
      const DeathAtDatagram death(manager(), daemon().pid(), nth);
      daemon().signal(SIGTERM);
      status = daemon().ended_within();
    }
    ASSERT_TRUE(status);
    const ProgramEnd stop_post = daemon().restore();
    EXPECT_EQ(stop_post.status, 0) << stop_post.said;
    if (status == 0) {
      EXPECT_EQ(limits_of(board()), pinned_to(mhz(612))) << "handed over in " << nth - 1 << " messages";
      EXPECT_GT(killed, 3);
      return;
    }
    ++killed;
    // The kill may come after the mark was left: then the clock is meant to stay for the start that follows.
    const bool kept = stop_post.said.find("stays pinned") != std::string::npos;
    ASSERT_EQ(limits_of(board()), kept ? pinned_to(mhz(612)) : untouched) << "killed at message " << nth;
    start_again();
    // Whoever died with the whole state in the store has handed its jobs over; nobody else has.
    const bool goes_on = !running_jobs().empty();
    ASSERT_TRUE(limits_become(goes_on ? pinned_to(mhz(612)) : untouched)) << "killed at message " << nth;
    if (goes_on) (void)client.ask("EndJob", end_of(job));
    ASSERT_TRUE(limits_become(untouched)) << "killed at message " << nth;
  }
  FAIL() << "a hand-over of forty messages";
}

TEST_F(HandOverKill, KilledAtAnyAccessOfTheStartThatTakesOverTheClockIsRestored) {
  manage(2056, R"({"sampling": {"period_ms": 10000, "longest_step_s": 60}})");  // about the same accesses every time
  const std::string comm = "sweetspotd";
  std::uint64_t accesses = 0;
  int killed = 0;
  for (std::uint64_t n = 0; n <= accesses; ++n) {
    auto client = daemon().connect();
    (void)pinned_job(client);
    (void)end_for("restart");
    board().control(n == 0 ? "accesses restart" : "kill-at " + std::to_string(n) + " before comm=" + comm);
    manager().set_job("start");
    bool up = false;
    try {
      up = daemon().try_start() && clock_becomes(daemon(), "pinned");
    } catch (const std::exception&) {
      // It died in the middle of a call.
    }
    if (n == 0) {
      ASSERT_TRUE(up);
      accesses = board().accesses(comm);
      ASSERT_GT(accesses, 10U);
    } else if (!up) {
      ++killed;
    }
    board().control("kill-at off");
    daemon().kill();
    EXPECT_EQ(daemon().restore().status, 0);
    ASSERT_EQ(limits_of(board()), untouched) << "killed at access " << n;
    ASSERT_FALSE(daemon().has_saved_clock());
    manager().release();
    start_again();
  }
  EXPECT_GT(killed, static_cast<int>(accesses) / 2);
}

}  // namespace
}  // namespace sweetspot::tests
