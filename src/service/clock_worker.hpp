// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "service/clock_keeper.hpp"
#include "service/wakeup.hpp"

namespace sweetspot {

/// The thread that owns the GPU clock. Orders go in from the loop, news comes back through a Wakeup; a board that
/// blocks for seconds blocks only this thread. All public calls return at once and belong to the loop's thread.
class ClockWorker {
 public:
  struct Places {
    std::string sysfs_root;
    std::string runtime_dir;
  };
  struct News {
    std::vector<ClockStatus> reports;  ///< changes since the last take
    std::vector<std::string> notes;
    std::vector<std::string> restored;  ///< what a dead predecessor had left, once
    bool leftover_settled = false;      ///< what a dead predecessor had left is given back, or was tried once
    bool looked = false;                ///< the board has been looked at once, whatever was found
    ClockView view;
    std::uint64_t looks_done = 0;  ///< look() calls that have been served
    std::uint64_t wants_done = 0;  ///< want() calls that have been served
  };

  /// `handed_over`: the goal whose pin an earlier process left in force for this one. It counts as the first want(),
  /// done when the pin has been looked at. Without one, what is pinned was left by a dead process and is given back.
  ClockWorker(Places places, ClockSettings settings, const Wakeup& news_bell,
              std::optional<Hertz> handed_over = std::nullopt);
  ~ClockWorker();
  ClockWorker(const ClockWorker&) = delete;
  ClockWorker& operator=(const ClockWorker&) = delete;

  void want(std::optional<Hertz> goal);
  /// Ends the thread without giving the clock back, which it otherwise does: another process goes on with the pin.
  void leave_pinned();
  /// The number of this look, to compare with News::looks_done.
  std::uint64_t look();
  void reconfigure(ClockSettings settings);
  [[nodiscard]] News take_news();
  /// Since when the thread has been in one piece of I/O; empty while it waits.
  [[nodiscard]] std::optional<Instant> busy_since() const;
  /// The number of the last want(), to compare with News::wants_done.
  [[nodiscard]] std::uint64_t wants() const { return wants_; }
  /// The number of the last look().
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  struct Orders {
    std::optional<Hertz> goal;
    std::uint64_t wants = 0;
    std::uint64_t looks = 0;
    std::optional<ClockSettings> settings;
    bool stop = false;
    bool leave_pinned = false;
  };
  void run();
  void begin(ClockKeeper& keeper);
  [[nodiscard]] bool wait_for_orders(std::optional<Instant> due);
  void obey(const Orders& orders, ClockKeeper& keeper);
  void publish(ClockKeeper& keeper, const Orders& done);

  Places places_;
  ClockSettings settings_;
  const Wakeup& bell_;
  const std::optional<Hertz> handed_over_;
  std::uint64_t wants_ = 0;
  std::uint64_t looks_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable ordered_;
  Orders orders_;                      // guarded by mutex_
  News news_;                          // guarded by mutex_
  std::optional<Instant> busy_since_;  // guarded by mutex_
  std::uint64_t wants_seen_ = 0;       // worker thread only, like looks_seen_
  std::uint64_t looks_seen_ = 0;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace sweetspot
