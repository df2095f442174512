// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "service/daemon.hpp"
#include "service/status_builder.hpp"
#include "service/version.hpp"
#include "sweetspot/wire/replies.hpp"

// The varlink methods: each translates a call for the governor and says when its reply can go out.
namespace sweetspot {
namespace {

/// StartJob answers within 50 ms; the rest is for the way there and back.
constexpr Duration longest_hold = std::chrono::milliseconds(40);
constexpr std::int64_t default_watch_period_ms = 1000;
constexpr std::int64_t longest_watch_period_ms = 60'000;

GovernorError error_for(const Governor::StartRefusal& refusal) {
  if (const auto* problem = std::get_if<SpecProblem>(&refusal)) return InvalidSpec{problem->field, problem->expected};
  const auto& too_many = std::get<Governor::TooManyJobs>(refusal);
  return TooManyJobs{too_many.limit, too_many.whose};
}

GovernorError error_for(Governor::Refusal refusal, JobId job) {
  switch (refusal) {
    case Governor::Refusal::no_such_job:
      return NoSuchJob{job};
    case Governor::Refusal::not_your_job:
      return NotYourJob{job};
  }
  return NoSuchJob{job};
}

}  // namespace

void Daemon::on_call(ConnectionId id, const Peer& peer, Call call) {
  const auto reply = [&](const std::string& message) {
    if (!call.oneway) server_->reply(id, message);
  };
  if (std::holds_alternative<GetInfo>(call.what)) {
    reply(info_reply({"sweetspotd", "sweetspotd", version_text, ""}));
  } else if (const auto* describe = std::get_if<GetInterfaceDescription>(&call.what)) {
    reply(interface_description_reply(describe->interface));
  } else if (std::holds_alternative<GetStatus>(call.what)) {
    if (!call.oneway) answer_status(id);
  } else if (const auto* start = std::get_if<StartJob>(&call.what)) {
    answer(id, peer, *start, call.oneway);
  } else if (const auto* progress = std::get_if<ReportProgress>(&call.what)) {
    answer(id, peer, *progress, call.oneway);
  } else if (const auto* end = std::get_if<EndJob>(&call.what)) {
    answer(id, peer, *end, call.oneway);
  } else if (const auto* explain = std::get_if<Explain>(&call.what)) {
    if (!call.oneway) answer(id, *explain);
  } else if (const auto* watch = std::get_if<Watch>(&call.what)) {
    if (call.oneway) {
      ++oneway_errors_;  // there is nobody to send the events to
    } else {
      answer(id, peer, *watch);
    }
  }
}

void Daemon::refuse(ConnectionId id, bool oneway, const GovernorError& error) {
  if (oneway) {
    ++oneway_errors_;
  } else {
    server_->reply(id, error_reply(error));
  }
}

void Daemon::answer(ConnectionId id, const Peer& peer, const StartJob& call, bool oneway) {
  if (stop_deadline_) return refuse(id, oneway, Busy{"the daemon is stopping"});
  if (const auto problem = problem_in(call.spec))
    return refuse(id, oneway, InvalidSpec{problem->field, problem->expected});
  if (const auto full = governor_.over_quota(peer.credentials.uid))
    return refuse(id, oneway, TooManyJobs{full->limit, full->whose});
  auto holder = holder_for(call.spec, id, peer);
  if (!holder) return refuse(id, oneway, InvalidSpec{holder.error().field, holder.error().expected});
  Owner owner{peer.credentials.uid, peer.credentials.pid, {}};
  if (holder->process) {
    owner.pid = holder->process->pid;
    owner.comm = holder->process->comm;
  }
  const Instant now = EventLoop::now();
  const auto job = governor_.start({call.spec, std::move(owner), now, std::chrono::system_clock::now()});
  if (!job) return refuse(id, oneway, error_for(job.error()));
  if (auto added = holders_.add(*job, *std::move(holder)); !added) {
    governor_.lose(*job, EndedBy::lost, now);
    refuse(id, oneway, Busy{added.error().message});
    return reconcile();
  }
  if (!oneway) {
    server_->hold(id);
    held_starts_.push_back({id, *job, now + longest_hold});
  }
  reconcile();
}

void Daemon::answer(ConnectionId id, const Peer& peer, const ReportProgress& call, bool oneway) {
  const auto refusal = governor_.progress(call.job_id, call.steps, peer.credentials.uid, EventLoop::now());
  if (refusal) return refuse(id, oneway, error_for(*refusal, call.job_id));
  if (!oneway) server_->reply(id, empty_reply());
  const Job& job = governor_.jobs().at(call.job_id);
  if (is_adaptive(job.decision)) return reconcile();  // the report may need a reading of the rails
  if (job.lease_ends) arm_timers();
}

void Daemon::answer(ConnectionId id, const Peer& peer, const EndJob& call, bool oneway) {
  const auto refusal = governor_.end(call.job_id, peer.credentials.uid, EventLoop::now());
  if (refusal) return refuse(id, oneway, error_for(*refusal, call.job_id));
  if (!oneway) {
    server_->hold(id);
    held_ends_.emplace(call.job_id, id);
  }
  reconcile();
}

/// While the board is looked at for the first time, a status would show none; a board that hangs is not waited for.
void Daemon::answer_status(ConnectionId id) {
  if (!has_looked()) {
    server_->hold(id);
    held_statuses_.push_back({id, EventLoop::now() + longest_hold});
    return arm_timers();
  }
  server_->reply(id, status_text());
  if (governor_.needs_samples()) reconcile();
}

void Daemon::answer(ConnectionId id, const Explain& call) {
  if (const auto problem = problem_in(call.spec))
    return refuse(id, false, InvalidSpec{problem->field, problem->expected});
  // The cap may have changed since the last pin; while one is in force the worker keeps it fresh.
  if (governor_.goal()) return server_->reply(id, explain_reply(governor_.explain(call.spec)));
  server_->hold(id);
  held_explains_.push_back({id, call.spec, clock_worker_->look(), EventLoop::now() + longest_hold});
  arm_timers();
}

void Daemon::answer(ConnectionId id, const Peer& peer, const Watch& call) {
  if (watch_feed_->of_uid(peer.credentials.uid) >= config_.limits.watchers_per_uid)
    return refuse(id, false,
                  Busy{"uid " + std::to_string(peer.credentials.uid) + " has " +
                       std::to_string(config_.limits.watchers_per_uid) + " watchers already"});
  const std::int64_t wanted = std::min(call.period_ms.value_or(default_watch_period_ms), longest_watch_period_ms);
  const Duration period = std::max<Duration>(std::chrono::milliseconds(wanted), config_.limits.shortest_watch_period);
  server_->hold(id);  // for good: a watching connection takes no further call
  watch_feed_->add(id, peer.credentials.uid, period);
  sampler_->want({.run = true, .sample_now = true});
  reconcile();
}

void Daemon::on_gone(ConnectionId id) {
  watch_feed_->remove(id);
  std::erase_if(held_starts_, [id](const HeldStart& held) { return held.connection == id; });
  std::erase_if(held_explains_, [id](const HeldExplain& held) { return held.connection == id; });
  std::erase_if(held_statuses_, [id](const HeldStatus& held) { return held.connection == id; });
  std::erase_if(held_ends_, [id](const auto& held) { return held.second == id; });
  holders_.connection_gone(id);
  reconcile();
}

std::string Daemon::status_text() {
  const Sampler::News news = sampler_->news();
  // Running jobs are shown as of the last sample, not as of the last one the governor had to see.
  if (governor_.needs_samples()) governor_.observe_meter(news.meter, EventLoop::now());
  return status_reply(build_status({.governor = governor_,
                                    .clock = clock_view_,
                                    .sampler = news,
                                    .config = config_,
                                    .now = EventLoop::now(),
                                    .began = began_,
                                    .connections = server_->connections(),
                                    .watchers = watch_feed_->size(),
                                    .oneway_errors = oneway_errors_}));
}

}  // namespace sweetspot
