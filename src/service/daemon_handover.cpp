// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cerrno>

#include "service/daemon.hpp"
#include "service/log.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/platform/handover_mark.hpp"
#include "sweetspot/platform/saved_clock.hpp"

// A restart: the running jobs, their clock and their meter pass from one daemon to the next.
namespace sweetspot {
namespace {

/// For what is under way: a write of the clock, a last sample, a reply. Longer than the longest last_sample_wait_s.
constexpr Duration hand_over_patience = seconds(5);

std::string jobs_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " job" : " jobs");
}

bool is_dead(int pidfd) {
  pollfd ended{pidfd, POLLIN, 0};
  return ::poll(&ended, 1, 0) > 0;
}

}  // namespace

void Daemon::begin_hand_over(std::size_t places) {
  const Instant now = EventLoop::now();
  log_info("SIGTERM for a restart: the jobs go on in the next daemon");
  (void)sd_notify(0, "STOPPING=1");
  for (const JobId job : jobs_without_place(governor_.jobs(), holders_, places)) {
    log_warning("job " + std::to_string(job) + " ends here: the service manager keeps " + std::to_string(places) +
                " descriptors for this unit (FileDescriptorStoreMax=), and they do not reach for all jobs");
    governor_.lose(job, EndedBy::interrupted, now);
  }
  hand_over_ = HandOver{now, now + hand_over_patience};
  server_->freeze();
  sampler_->want({.run = true, .sample_now = true});
  reconcile();
}

/// Nothing is under way any more: no reply is owed, no job is ending, no write of the clock is on its way, and the
/// meter has been read after the last call.
bool Daemon::ready_to_hand_over(Instant now) const {
  const auto& jobs = governor_.jobs();
  const bool ending = std::any_of(jobs.begin(), jobs.end(), [](const auto& entry) { return entry.second.ended_by; });
  if (ending || !held_starts_.empty() || !held_explains_.empty() || !held_statuses_.empty() || !clock_settled())
    return false;
  if (!history_->news().idle && now < hand_over_->deadline) return false;
  const bool metered = governor_.board().rails.empty() || sampler_->news().meter.reading().at >= hand_over_->begun;
  return metered || now >= hand_over_->deadline;  // a sensor that hangs is a gap, and no reason to end jobs
}

void Daemon::finish_hand_over() {
  const Instant now = EventLoop::now();
  if (!governor_.has_running_jobs()) return begin_stop("no job is left to hand over");
  if (!ready_to_hand_over(now)) {
    if (now < hand_over_->deadline) return;
    return begin_stop("the board does not answer, so nothing is handed over");
  }
  if (const auto handed = hand_over(); !handed)
    return begin_stop("the jobs cannot be handed over (" + handed.error().message + ")");
  hand_over_.reset();
  clock_worker_->leave_pinned();
  loop_.stop(0);
}

Result<void> Daemon::hand_over() {
  governor_.observe_meter(sampler_->news().meter, EventLoop::now());
  const std::string boot_id = SavedClockStore(places_.runtime_dir).boot_id();
  const auto package = pack_jobs(governor_.state(), boot_id, holders_, *server_);
  if (!package) return failure(Error(package.error()));
  if (auto stored = store_package(*package); !stored) return stored;
  // From here on whoever restores finds the mark; killed before, it finds none and gives the clock back.
  if (auto left = leave_handover_mark(places_.runtime_dir, boot_id); !left) {
    forget_package(*package);
    return left;
  }
  log_info(jobs_text(governor_.jobs().size()) + " handed over; the clock stays as it is");
  return {};
}

/// The mark is used up whatever comes of this start: if it fails, the clock is restored.
std::optional<Handover> Daemon::find_handover() const {
  const std::string boot_id = SavedClockStore(places_.runtime_dir).boot_id();
  if (const auto taken = take_handover_mark(places_.runtime_dir, boot_id); !taken) log_warning(taken.error().message);
  auto handover = stored_handover(passed_.stored, boot_id);
  if (handover) return *std::move(handover);
  log_error("the jobs of the daemon before this one cannot be gone on with: " + handover.error().message +
            "; they have ended as lost, and the clock is given back");
  return std::nullopt;
}

/// The meter that the sampler goes on with, if there was one.
std::optional<EnergyMeter> Daemon::take_over(Handover handover) {
  const Instant now = EventLoop::now();
  const Duration longest_step = sampler_settings().longest_step;
  std::optional<EnergyMeter> meter;
  if (handover.governor.meter) meter.emplace(*handover.governor.meter, longest_step);
  const Duration unwatched = now - handover.governor.clock_accounted_at;
  governor_.take_over(std::move(handover.governor), longest_step, now);
  log_info("goes on with " + jobs_text(governor_.jobs().size()) + " of the daemon before (" + handover.written_by +
           "), after " + fixed_text(in_seconds(unwatched), 1) + " s");
  for (const auto& [id, job] : governor_.jobs()) ledger_->started({id, job.spec.name, job.decision, job.owner});
  const auto connections = adopt_connections(std::move(handover.connections));
  for (const HandedHolder& handed : handover.holders) {
    auto holder = adopted_holder(handed, connections);
    auto held = holder ? holders_.add(handed.job, *std::move(holder)) : failure(std::move(holder.error()));
    if (held) continue;
    log_info("job " + std::to_string(handed.job) + " did not outlive the restart: " + held.error().message);
    governor_.lose(handed.job, EndedBy::lost, now);
  }
  return meter;
}

std::map<std::uint64_t, ConnectionId> Daemon::adopt_connections(std::vector<HandedConnection> connections) {
  std::map<std::uint64_t, ConnectionId> adopted;
  for (HandedConnection& handed : connections) {
    const auto socket = passed_.stored.find(stored_connection_name(handed.id));
    if (socket == passed_.stored.end()) continue;
    const auto id = server_->adopt(std::move(socket->second), {.start_ticks = handed.start_ticks,
                                                               .received = std::move(handed.received),
                                                               .unsent = std::move(handed.unsent),
                                                               .peer_done_sending = handed.peer_done_sending});
    if (id) adopted[handed.id] = *id;
  }
  return adopted;
}

Result<JobHolder> Daemon::adopted_holder(const HandedHolder& handed,
                                         const std::map<std::uint64_t, ConnectionId>& connections) {
  JobHolder holder;
  if (handed.connection) {
    const auto connection = connections.find(*handed.connection);
    if (connection == connections.end()) return failure("its connection is gone", ENOTCONN);
    holder.connection = connection->second;
  }
  if (!handed.process) return holder;
  const auto& [pid, start_ticks, comm] = *handed.process;
  if (const auto stored = passed_.stored.find(stored_process_name(handed.job)); stored != passed_.stored.end()) {
    // Seen here rather than by the loop, so that a pin that nobody wants any more is not even looked at.
    if (is_dead(stored->second.value())) return failure("process " + std::to_string(pid) + " is gone", ESRCH);
    holder.process = WatchedProcess{std::move(stored->second), pid, start_ticks, comm};
    return holder;
  }
  // A manager without kcmp(2) takes two pidfds for one and keeps the first: pid and start time name the process as
  // well.
  auto process = open_process(pid);
  if (!process) return failure(std::move(process.error()));
  if (process->start_ticks != start_ticks) return failure("process " + std::to_string(pid) + " is another one", ESRCH);
  holder.process = *std::move(process);
  return holder;
}

/// What was taken over lives here now, and what was not is over.
void Daemon::forget_stored() {
  for (const auto& [name, fd] : passed_.stored) forget_descriptor(name);
  passed_ = {};
}

}  // namespace sweetspot
