// SPDX-License-Identifier: Apache-2.0
#include "service/watch_feed.hpp"

#include <algorithm>
#include <vector>

#include "sweetspot/wire/replies.hpp"

namespace sweetspot {
namespace {

/// Time for the first sample to be taken, so that the first thing a watcher sees has figures in it.
constexpr Duration first_sample_wait = std::chrono::milliseconds(50);

}  // namespace

Result<std::unique_ptr<WatchFeed>> WatchFeed::create(EventLoop& loop, VarlinkServer& server, TakeSample take_sample) {
  std::unique_ptr<WatchFeed> feed(new WatchFeed(server, std::move(take_sample)));
  auto timer = loop.add_timer("watch", [f = feed.get()] { f->send_due_samples(); });
  if (!timer) return failure(std::move(timer.error()));
  feed->timer_ = *std::move(timer);
  return feed;
}

void WatchFeed::add(ConnectionId id, std::uint32_t uid, Duration period) {
  watchers_.insert_or_assign(id, Watcher{uid, period, EventLoop::now() + std::min(period, first_sample_wait)});
  arm();
}

void WatchFeed::remove(ConnectionId id) {
  if (watchers_.erase(id) > 0) arm();
}

std::size_t WatchFeed::of_uid(std::uint32_t uid) const {
  return static_cast<std::size_t>(
      std::count_if(watchers_.begin(), watchers_.end(), [uid](const auto& entry) { return entry.second.uid == uid; }));
}

void WatchFeed::tell(const Event& event) {
  if (watchers_.empty()) return;
  send_all(watch_event_reply({EventLoop::now().time_since_epoch(), event}));
}

void WatchFeed::send_all(const std::string& message) {
  // Sending may drop a watcher that reads too slowly, which removes it from the map.
  std::vector<ConnectionId> ids;
  for (const auto& [id, watcher] : watchers_) ids.push_back(id);
  for (const ConnectionId id : ids) server_.reply_and_continue(id, message);
}

void WatchFeed::send_due_samples() {
  const Instant now = EventLoop::now();
  std::vector<ConnectionId> due;
  for (auto& [id, watcher] : watchers_) {
    if (watcher.next > now) continue;
    due.push_back(id);
    while (watcher.next <= now) watcher.next += watcher.period;
  }
  if (!due.empty()) {
    const std::string message = watch_event_reply({now.time_since_epoch(), take_sample_()});
    for (const ConnectionId id : due) server_.reply_and_continue(id, message);
  }
  arm();
}

void WatchFeed::arm() {
  const auto next = std::min_element(watchers_.begin(), watchers_.end(),
                                     [](const auto& a, const auto& b) { return a.second.next < b.second.next; });
  if (next == watchers_.end()) return timer_.disarm();
  timer_.arm(next->second.next);
}

}  // namespace sweetspot
