// SPDX-License-Identifier: Apache-2.0
#include <systemd/sd-daemon.h>

#include <cstdlib>

#include "service/daemon.hpp"
#include "service/log.hpp"
#include "service/restart_or_stop.hpp"

// The end of the daemon: jobs end, the clock is given back, within a time limit.
namespace sweetspot {
namespace {

constexpr Duration stop_patience = seconds(3);
constexpr Duration join_patience = std::chrono::milliseconds(100);  // no read or write takes that long when all is well

}  // namespace

/// For a restart of the unit the jobs go on in the next daemon; for a stop, and in doubt, they end here.
void Daemon::on_sigterm() {
  if (stop_deadline_ || hand_over_) return;
  const bool managed = std::getenv("NOTIFY_SOCKET") != nullptr;
  if (!managed || !governor_.has_running_jobs()) return begin_stop("SIGTERM");
  const auto intent = ask_service_manager(manager_patience);
  if (!intent) return begin_stop("SIGTERM (" + intent.error().message + ", so this is taken for a stop)");
  if (!intent->restart) return begin_stop("SIGTERM");
  begin_hand_over(intent->descriptors_free);
}

void Daemon::begin_stop(const std::string& why) {
  if (stop_deadline_) return;
  hand_over_.reset();
  log_info(why + ": giving the clock back and stopping");
  (void)sd_notify(0, "STOPPING=1");
  const Instant now = EventLoop::now();
  stop_deadline_ = now + stop_patience;
  governor_.interrupt(now);
  reconcile();
}

void Daemon::finish_stop() {
  const ClockStatus& clock = governor_.clock();
  const bool given_back =
      clock_settled() && (clock.condition == ClockCondition::released || clock.condition == ClockCondition::no_gpu);
  const Instant now = EventLoop::now();
  const bool written = history_->news().idle;
  if (!(given_back && governor_.jobs().empty() && written) && now < *stop_deadline_) return;
  governor_.interrupt_all(now);
  tell_events();
  if (!given_back) log_error("the clock is still to be restored: " + clock.detail + "; run sweetspotd --restore");
  loop_.stop(given_back ? 0 : 1);
}

bool Daemon::has_stuck_thread() {
  const Instant now = EventLoop::now();
  const auto hangs = [now](std::optional<Instant> since) { return since && now - *since >= join_patience; };
  return hangs(clock_worker_->busy_since()) || hangs(sampler_->news().sampling_since) ||
         hangs(history_->news().starting_since) || hangs(profiles_.writing_since());
}

}  // namespace sweetspot
