// SPDX-License-Identifier: Apache-2.0
#include "service/clock_worker.hpp"

#include <pthread.h>

#include <iterator>
#include <utility>

#include "service/steady_now.hpp"

namespace sweetspot {
ClockWorker::ClockWorker(Places places, ClockSettings settings, const Wakeup& news_bell,
                         std::optional<Hertz> handed_over)
    : places_(std::move(places)),
      settings_(std::move(settings)),
      bell_(news_bell),
      handed_over_(handed_over),
      wants_(handed_over ? 1 : 0),
      orders_{.wants = wants_},
      wants_seen_(wants_),
      thread_([this] { run(); }) {}

ClockWorker::~ClockWorker() {
  {
    const std::lock_guard lock(mutex_);
    orders_.stop = true;
  }
  ordered_.notify_one();
  thread_.join();
}

void ClockWorker::want(std::optional<Hertz> goal) {
  {
    const std::lock_guard lock(mutex_);
    orders_.goal = goal;
    orders_.wants = ++wants_;
  }
  ordered_.notify_one();
}

void ClockWorker::leave_pinned() {
  {
    const std::lock_guard lock(mutex_);
    orders_.stop = orders_.leave_pinned = true;
  }
  ordered_.notify_one();
}

std::uint64_t ClockWorker::look() {
  {
    const std::lock_guard lock(mutex_);
    orders_.looks = ++looks_;
  }
  ordered_.notify_one();
  return looks_;
}

void ClockWorker::reconfigure(ClockSettings settings) {
  {
    const std::lock_guard lock(mutex_);
    orders_.settings = std::move(settings);
  }
  ordered_.notify_one();
}

ClockWorker::News ClockWorker::take_news() {
  const std::lock_guard lock(mutex_);
  News news = news_;
  news_.reports.clear();
  news_.notes.clear();
  news_.restored.clear();
  return news;
}

std::optional<Instant> ClockWorker::busy_since() const {
  const std::lock_guard lock(mutex_);
  return busy_since_;
}

void ClockWorker::run() {
  ::pthread_setname_np(::pthread_self(), "clock");
  {
    const std::lock_guard lock(mutex_);
    busy_since_ = steady_now();
  }
  FileAttributes board(places_.sysfs_root);
  SavedClockStore store(places_.runtime_dir);
  ClockKeeper keeper(board, store, settings_);
  begin(keeper);
  while (wait_for_orders(keeper.due())) {
    Orders orders;
    {
      const std::lock_guard lock(mutex_);
      orders = orders_;
      orders_.settings.reset();
    }
    obey(orders, keeper);
    publish(keeper, orders);
  }
  {
    const std::lock_guard lock(mutex_);
    if (orders_.leave_pinned) return;
  }
  keeper.want(std::nullopt, steady_now());
  publish(keeper, Orders{});
}

/// Comes before everything else: what an earlier process left is given back, or gone on with. No order has been obeyed
/// yet, so no pin of ours can be in the way.
void ClockWorker::begin(ClockKeeper& keeper) {
  std::vector<std::string> restored;
  if (!handed_over_) restored = keeper.restore_leftover(steady_now());
  {
    const std::lock_guard lock(mutex_);
    news_.restored = std::move(restored);
    news_.leftover_settled = true;
  }
  bell_.ring();
  if (handed_over_) {
    keeper.resume(*handed_over_, steady_now());
  } else {
    keeper.look(steady_now());
  }
  {
    const std::lock_guard lock(mutex_);
    news_.looked = true;
  }
  publish(keeper, Orders{.wants = wants_seen_});
  bell_.ring();
}

bool ClockWorker::wait_for_orders(std::optional<Instant> due) {
  std::unique_lock lock(mutex_);
  const auto ordered = [this] {
    return orders_.stop || orders_.wants != wants_seen_ || orders_.looks != looks_seen_ || orders_.settings;
  };
  busy_since_.reset();
  if (due) {
    ordered_.wait_until(lock, *due, ordered);
  } else {
    ordered_.wait(lock, ordered);
  }
  busy_since_ = steady_now();
  return !orders_.stop;
}

void ClockWorker::obey(const Orders& orders, ClockKeeper& keeper) {
  bool acted = false;
  if (orders.settings) {
    keeper.reconfigure(*orders.settings, steady_now());
    acted = true;
  }
  if (std::exchange(looks_seen_, orders.looks) != orders.looks) {
    keeper.look(steady_now());
    acted = true;
  }
  if (std::exchange(wants_seen_, orders.wants) != orders.wants) {
    keeper.want(orders.goal, steady_now());
    acted = true;
  }
  if (!acted && keeper.due() && steady_now() >= *keeper.due()) keeper.act(steady_now());
}

void ClockWorker::publish(ClockKeeper& keeper, const Orders& done) {
  auto reports = keeper.take_reports();
  auto notes = keeper.take_notes();
  auto restored = keeper.take_restored();
  {
    const std::lock_guard lock(mutex_);
    news_.restored.insert(news_.restored.end(), restored.begin(), restored.end());
    const bool changed = !reports.empty() || !notes.empty() || news_.view != keeper.view() ||
                         news_.wants_done < done.wants || news_.looks_done < done.looks || !news_.restored.empty();
    if (!changed) return;
    news_.reports.insert(news_.reports.end(), std::move_iterator(reports.begin()), std::move_iterator(reports.end()));
    news_.notes.insert(news_.notes.end(), std::move_iterator(notes.begin()), std::move_iterator(notes.end()));
    news_.view = keeper.view();
    news_.wants_done = std::max(news_.wants_done, done.wants);
    news_.looks_done = std::max(news_.looks_done, done.looks);
  }
  bell_.ring();
}

}  // namespace sweetspot
