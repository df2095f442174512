// SPDX-License-Identifier: Apache-2.0
#include <sys/epoll.h>

#include "service/daemon.hpp"
#include "service/log.hpp"

// Finished jobs on their way into the history, which nobody waits for but a stop.
namespace sweetspot {

HistorySettings Daemon::history_settings() const {
  return {.enabled = config_.history.enabled,
          .state_dir = places_.state_dir,
          .keep_days = config_.history.keep_days,
          .size_mib = config_.history.size_mib};
}

void Daemon::on_history_news() {
  const HistoryKeeper::News news = history_->news();
  if (news.trouble) {
    governor_.raise(HealthReason::history, "finished jobs are in the journal only: " + *news.trouble, EventLoop::now());
  } else {
    governor_.clear(HealthReason::history);
  }
  reconcile();
}

}  // namespace sweetspot
