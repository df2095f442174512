// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "service/event_loop.hpp"
#include "service/varlink_server.hpp"
#include "sweetspot/wire/watch_event.hpp"

namespace sweetspot {

/// The connections that watch: each gets events as they happen and samples at its own period, until it hangs up. One
/// timer serves all, and none is armed while nobody watches. Loop thread only.
class WatchFeed {
 public:
  using TakeSample = std::function<WatchSample()>;
  [[nodiscard]] static Result<std::unique_ptr<WatchFeed>> create(EventLoop& loop, VarlinkServer& server,
                                                                 TakeSample take_sample);

  void add(ConnectionId id, std::uint32_t uid, Duration period);
  void remove(ConnectionId id);
  void tell(const Event& event);
  [[nodiscard]] std::size_t size() const { return watchers_.size(); }
  [[nodiscard]] std::size_t of_uid(std::uint32_t uid) const;

 private:
  struct Watcher {
    std::uint32_t uid;
    Duration period;
    Instant next;
  };
  WatchFeed(VarlinkServer& server, TakeSample take_sample) : server_(server), take_sample_(std::move(take_sample)) {}
  void send_due_samples();
  void arm();
  void send_all(const std::string& message);

  VarlinkServer& server_;
  TakeSample take_sample_;
  EventLoop::Source timer_;
  std::map<ConnectionId, Watcher> watchers_;
};

}  // namespace sweetspot
