// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/simulated_board.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/wait.hpp"

namespace sweetspot::tests {

using nlohmann::json;

constexpr std::uint64_t mhz(std::uint64_t value) {
  return value * 1'000'000;
}

/// min_freq and max_freq of the board's GPU.
struct Limits {
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  friend bool operator==(const Limits&, const Limits&) = default;
};
std::ostream& operator<<(std::ostream& out, const Limits& limits);
[[nodiscard]] Limits limits_of(const SimulatedBoard& board);
constexpr Limits pinned_to(std::uint64_t clock) {
  return {clock, clock};
}
/// An AGX Orin in mode MAXN, as it is mounted.
inline constexpr Limits untouched{mhz(306), 1'300'500'000};

/// Parameters of a StartJob that asks for one clock.
[[nodiscard]] json job_at(std::uint64_t clock, json more = json::object());

/// A board, or a skipped test that says why there is none.
class SystemTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
    mount({});
  }

  /// A board of the test's own instead of the one it got.
  void mount(const std::vector<std::string>& arguments) { board_.emplace("agx-orin-64-jp6", arguments); }
  [[nodiscard]] SimulatedBoard& board() { return *board_; }
  [[nodiscard]] bool limits_become(Limits limits, Clock::duration limit = patience) {
    return eventually([&] { return limits_of(*board_) == limits; }, limit);
  }

 private:
  std::optional<SimulatedBoard> board_;
};

/// A workload that keeps the board's GPU busy for the lifetime of this object.
class BoardLoad {
 public:
  BoardLoad(const SimulatedBoard& board, const std::string& workload);
  ~BoardLoad();
  BoardLoad(const BoardLoad&) = delete;
  BoardLoad& operator=(const BoardLoad&) = delete;

 private:
  int control_ = -1;  ///< the load lasts as long as this open file
};

/// The condition that GetStatus shows for the clock.
[[nodiscard]] std::string clock_condition(const RunningDaemon& daemon);
[[nodiscard]] bool clock_becomes(const RunningDaemon& daemon, const std::string& condition,
                                 Clock::duration limit = patience);
/// Polls GetStatus until health holds the reason.
[[nodiscard]] bool health_becomes(const RunningDaemon& daemon, const std::string& reason,
                                  Clock::duration limit = patience);
[[nodiscard]] bool health_loses(const RunningDaemon& daemon, const std::string& reason,
                                Clock::duration limit = patience);

/// The shortest, the middle and the longest of several times the same thing took. On a machine that other work keeps
/// busy a single time says little; the contract's bounds are held against the shortest or the middle one.
struct Times {
  std::vector<Clock::duration> all;
  void add(Clock::duration time);
  [[nodiscard]] Clock::duration shortest() const { return all.front(); }
  [[nodiscard]] Clock::duration middle() const { return all[all.size() / 2]; }
  [[nodiscard]] Clock::duration longest() const { return all.back(); }
};
[[nodiscard]] double milliseconds(Clock::duration time);

/// A connection that watches and collects events. Made before what it is to see.
class Watcher {
 public:
  explicit Watcher(const RunningDaemon& daemon);
  /// The next event of that kind, the ones before it thrown away; null when it does not come.
  [[nodiscard]] json next(const std::string& kind, Clock::duration limit = patience);

 private:
  VarlinkTestClient client_;
};

/// Another process. Killed and reaped with this object.
class ChildProcess {
 public:
  /// Runs `body` in a child, which then sleeps until it is killed. What the body returns comes out of `word()`.
  explicit ChildProcess(const std::function<std::string()>& body);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits for the body's result; empty when the child died first.
  [[nodiscard]] std::string word();
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// SIGKILL; returns at once.
  void kill() const;
  void reap();

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

/// For a ChildProcess that connects, starts that job and holds both.
[[nodiscard]] std::function<std::string()> body_with_job(const RunningDaemon& daemon, const json& parameters);

}  // namespace sweetspot::tests
