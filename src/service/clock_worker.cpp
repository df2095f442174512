// SPDX-License-Identifier: Apache-2.0
#include "service/clock_worker.hpp"

#include <pthread.h>

#include <iterator>
#include <utility>

#include "service/steady_now.hpp"

namespace sweetspot {
ClockWorker::ClockWorker(Places places, ClockSettings settings, const Wakeup& news_bell)
    : places_(std::move(places)), settings_(std::move(settings)), bell_(news_bell), thread_([this] { run(); }) {}

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
  settle_leftover(keeper);
  keeper.look(steady_now());
  {
    const std::lock_guard lock(mutex_);
    news_.looked = true;
  }
  publish(keeper, Orders{});
  bell_.ring();
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
  keeper.want(std::nullopt, steady_now());
  publish(keeper, Orders{});
}

/// Comes before everything else: no order has been obeyed yet, so no pin of ours can be in the way.
void ClockWorker::settle_leftover(ClockKeeper& keeper) {
  auto restored = keeper.restore_leftover(steady_now());
  {
    const std::lock_guard lock(mutex_);
    news_.restored = std::move(restored);
    news_.leftover_settled = true;
  }
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
