// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "service/history_process.hpp"
#include "service/wakeup.hpp"
#include "sweetspot/core/event.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What is kept, and where.
struct HistorySettings {
  bool enabled = true;
  std::string state_dir;
  std::uint64_t keep_days = 0;  ///< 0: for ever
  std::uint64_t size_mib = 0;   ///< 0: whatever it takes
  friend bool operator==(const HistorySettings&, const HistorySettings&) = default;
};

/// Sees to it that finished jobs get into the history, without anybody waiting for a disk: what keep() is given goes
/// into a bounded queue, and a thread hands it to a sweetspotd-history of its own. Thread and process are there while
/// there is work and a moment longer, so that an idle daemon holds neither them nor SQLite's pages. All but the thread
/// belongs to the loop.
class HistoryKeeper {
 public:
  /// `bell` rings when there is news; it outlives the keeper. An error: no descriptor is left.
  [[nodiscard]] static Result<std::unique_ptr<HistoryKeeper>> create(HistorySettings settings, const Wakeup& bell);
  /// Waits for nothing but a process that is being started: whoever wants the queue written waits for News::idle.
  ~HistoryKeeper();
  HistoryKeeper(const HistoryKeeper&) = delete;
  HistoryKeeper& operator=(const HistoryKeeper&) = delete;

  /// From the next process on, a second after the last job at the latest.
  void use(HistorySettings settings);
  /// Queues the job; drops it when the queue is full, which becomes the trouble.
  void keep(const JobEnded& job);

  struct News {
    bool idle = true;                    ///< all that was queued has been written, or has failed
    std::optional<std::string> trouble;  ///< why what ended last is not in the history
    std::optional<Instant> starting_since;
    friend bool operator==(const News&, const News&) = default;
  };
  [[nodiscard]] News news();

  /// Far more than end in the time that a disk takes; 2 KiB each.
  static constexpr std::size_t most_queued = 2048;

 private:
  HistoryKeeper(HistorySettings settings, const Wakeup& bell, Wakeup hurry);
  void work();
  [[nodiscard]] std::deque<std::string> next_batch();
  [[nodiscard]] Result<void> write(const std::deque<std::string>& batch, std::optional<HistoryProcess>& process);

  const Wakeup& bell_;
  Wakeup hurry_;
  std::mutex mutex_;
  std::condition_variable queued_;
  HistorySettings settings_;  // guarded, with all below
  std::deque<std::string> queue_;
  News news_;
  std::size_t dropped_ = 0;  ///< since the last success
  bool working_ = false;
  bool stop_ = false;
  std::thread thread_;  ///< the loop's
};

}  // namespace sweetspot
