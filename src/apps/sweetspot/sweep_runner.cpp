// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/sweep_runner.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/job.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/platform/thermal.hpp"
#include "sweetspot/wire/date_text.hpp"

namespace sweetspot {
namespace {

// A restart after a crash takes systemd a second; more is an administrator's doing, whom a sweep may wait for a while.
constexpr Duration longest_absence = seconds(60);
constexpr Duration longest_heat = seconds(1800);
// A pin takes 0.1 s. One that is capped or waits does not come, and the run will tell.
constexpr Duration longest_pin = seconds(3);
constexpr Duration tick = seconds(1);
constexpr Duration short_tick = seconds(0.05);
// So long a command may take to end once it was asked to.
constexpr Duration grace = seconds(10);
// The job that holds the clock while it settles.
constexpr std::int64_t own_jobs = 1;

using SteadyClock = std::chrono::steady_clock;

int milliseconds_until(Instant then, Duration at_most) {
  const Duration left = std::clamp<Duration>(then - SteadyClock::now(), Duration(0), at_most);
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

JobSpec spec_for(const SweepCurve& curve, const SweepPoint& point) {
  JobSpec spec = curve.job;
  spec.policy = std::string(name_of(point.clock ? Policy::fixed : Policy::none));
  spec.frequency = point.clock;
  spec.tags["sweep"] = curve.id.substr(0, SpecLimits::name_bytes);
  return spec;
}

bool holds_its_clock(const StatusReport& status, JobId id) {
  return std::any_of(status.jobs.begin(), status.jobs.end(), [id](const StatusReport::Job& job) {
    return job.job_id == id && job.state == name_of(JobState::active);
  });
}

SweepRow lost_row(const SweepPoint& point) {
  return {.point = point, .valid = false, .reason = "sweetspotd went away"};
}

}  // namespace

tl::unexpected<Error> SweepRunner::stopped() const {
  return failure("stopped by signal " + std::to_string(stopped_by_), EINTR);
}

bool SweepRunner::take_signals(const ChildProcess* child) {
  while (const auto signal = signals_.next()) {
    if (signal->number == SIGCHLD) continue;
    // Who asks twice is in a hurry.
    if (child != nullptr && stopped_by_ != 0) child->signal(SIGKILL);
    if (child != nullptr && stopped_by_ == 0 && signal->from_process) child->signal(SIGTERM);
    stopped_by_ = signal->number;
  }
  return stopped_by_ != 0;
}

Result<void> SweepRunner::wait(Duration time, const std::string& what) {
  const Instant end = SteadyClock::now() + time;
  while (true) {
    if (take_signals(nullptr)) return stopped();
    if (SteadyClock::now() >= end) return {};
    show_(what);
    pollfd waiting{signals_.fd(), POLLIN, 0};
    ::poll(&waiting, 1, milliseconds_until(end, tick));
  }
}

Result<void> SweepRunner::wait_until_cool() {
  if (!manner_.max_celsius) return {};
  const Instant give_up = SteadyClock::now() + longest_heat;
  while (true) {
    // A GPU whose power is off has no temperature, and is not hot.
    const auto celsius = gpu_temperature(board_);
    if (!celsius || *celsius <= *manner_.max_celsius) return {};
    const std::string heat = "the GPU has " + fixed_text(*celsius, 1) + " °C";
    const std::string limit = fixed_text(*manner_.max_celsius, 1) + " °C";
    if (SteadyClock::now() >= give_up)
      return failure(heat + " and did not cool down to " + limit + " in " + duration_text(longest_heat), EBUSY);
    if (auto waited = wait(tick, heat + ", waiting for " + limit); !waited) return waited;
  }
}

Result<GovernorClient> SweepRunner::connect() {
  const Instant give_up = SteadyClock::now() + longest_absence;
  while (true) {
    auto client = GovernorClient::connect(manner_.socket);
    if (client || SteadyClock::now() >= give_up) return client;
    if (auto waited = wait(tick, "waiting for sweetspotd"); !waited) return failure(std::move(waited.error()));
  }
}

Result<SweepRunner::Jobs> SweepRunner::start_jobs(GovernorClient& client, const SweepCurve& curve,
                                                  const SweepPoint& point) {
  JobSpec spec = spec_for(curve, point);
  spec.name = "settling";
  const auto started = client.start_job(spec);
  if (!started) return failure(started.error());
  const JobId id = started->reply.job_id;
  const Instant give_up = SteadyClock::now() + longest_pin;
  while (point.clock && SteadyClock::now() < give_up) {
    const auto status = client.status();
    if (!status) return failure(status.error());
    if (holds_its_clock(*status, id)) break;
    if (auto waited = wait(short_tick, "pinning"); !waited) return failure(std::move(waited.error()));
  }
  if (auto waited = wait(manner_.settle, "settling"); !waited) return failure(std::move(waited.error()));
  const auto measured = client.start_job(spec_for(curve, point));
  if (!measured) return failure(measured.error());
  return Jobs{.settling = id, .measured = measured->reply.job_id};
}

SweepRunner::CommandEnd SweepRunner::wait_for(ChildProcess& child, int service) {
  CommandEnd end;
  std::optional<Instant> kill_at;
  const Instant began = SteadyClock::now();
  std::array<pollfd, 2> waiting{pollfd{signals_.fd(), POLLIN, 0}, pollfd{service, POLLIN, 0}};
  while (true) {
    const bool stop = take_signals(&child);
    if (const auto status = child.status_if_ended()) {
      end.status = *status;
      return end;
    }
    if (!end.service_lost && (service < 0 || waiting[1].revents != 0)) {
      // Without its service the run measures nothing any more.
      end.service_lost = true;
      waiting[1] = {-1, 0, 0};
      child.signal(SIGTERM);
    }
    if ((stop || end.service_lost) && !kill_at) kill_at = SteadyClock::now() + grace;
    if (kill_at && SteadyClock::now() >= *kill_at) child.signal(SIGKILL);
    show_("running for " + duration_text(SteadyClock::now() - began));
    ::poll(waiting.data(), waiting.size(), milliseconds_until(SteadyClock::now() + tick, tick));
  }
}

Result<SweepRow> SweepRunner::measure(GovernorClient& client, Jobs jobs, const SweepCurve& curve,
                                      const SweepPoint& point) {
  const auto before = gpu_temperature(board_);
  ::setenv("SWEETSPOT_JOB", std::to_string(jobs.measured).c_str(), 1);
  ::setenv("SWEETSPOT_SOCKET", manner_.socket.c_str(), 1);
  auto child =
      ChildProcess::start(manner_.command, signals_.mask_before(), {.output = manner_.output, .ends_with_us = true});
  if (!child) return failure(std::move(child.error()));
  // Only now: its last sample takes a moment, in which the command starts. A service that dies in it has closed the
  // connection, and a refusal changes nothing: the job ends with the connection at the latest.
  static_cast<void>(client.end_job(jobs.settling));
  const CommandEnd end = wait_for(*child, client.fd());
  if (stopped_by_ != 0) return stopped();
  // The command's last progress report may still wait its turn on another connection: once round lets it go first.
  static_cast<void>(client.status());
  const auto record = client.end_job(jobs.measured);
  const auto after = gpu_temperature(board_);
  if (end.service_lost || !record) return lost_row(point);
  SweepRow row = row_of(curve, point, {.record = *record, .exit_status = end.status, .own_jobs = own_jobs});
  row.celsius_before = before;
  row.celsius_after = after;
  row.started = to_rfc3339(record->started);
  return row;
}

Result<SweepRow> SweepRunner::run(const SweepCurve& curve, const SweepPoint& point) {
  if (!first_) {
    if (auto waited = wait(manner_.cooldown, "cooling down"); !waited) return failure(std::move(waited.error()));
  }
  first_ = false;
  if (auto cool = wait_until_cool(); !cool) return failure(std::move(cool.error()));
  auto client = connect();
  if (!client) return failure(std::move(client.error()));
  const auto jobs = start_jobs(*client, curve, point);
  if (jobs) return measure(*client, *jobs, curve, point);
  // Codes other than 0 mean that the connection is gone.
  if (jobs.error().code == 0 || jobs.error().code == EINTR) return failure(jobs.error());
  return lost_row(point);
}

}  // namespace sweetspot
