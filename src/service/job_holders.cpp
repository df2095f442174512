// SPDX-License-Identifier: Apache-2.0
#include "service/job_holders.hpp"

#include <sys/epoll.h>

#include <cerrno>
#include <vector>

namespace sweetspot {
namespace {

tl::unexpected<SpecProblem> pid_problem(std::string expected) {
  return tl::make_unexpected(SpecProblem{"pid", std::move(expected)});
}

tl::expected<JobHolder, SpecProblem> holder_by_pid(pid_t pid, const Peer& peer) {
  const auto depth = peer.credentials.pid > 0 ? pid_namespace_depth(peer.credentials.pid) : failure("unseen");
  if (!depth || *depth > 1)
    return pid_problem(
        "no pid from inside a pid namespace (a container), where it means another process; leave it out, "
        "the connection holds the job");
  auto process = open_process(pid);
  if (!process) return pid_problem("a running process; " + process.error().message);
  const auto owner = process_owner(pid);
  if (!owner) return pid_problem("a running process; " + owner.error().message);
  if (peer.credentials.uid != 0 && *owner != peer.credentials.uid)
    return pid_problem("a process of your own; " + std::to_string(pid) + " belongs to uid " + std::to_string(*owner));
  return JobHolder{std::nullopt, *std::move(process)};
}

}  // namespace

tl::expected<JobHolder, SpecProblem> holder_for(const JobSpec& spec, ConnectionId connection, const Peer& peer) {
  if (spec.pid) return holder_by_pid(static_cast<pid_t>(*spec.pid), peer);
  JobHolder holder{connection, std::nullopt};
  if (peer.credentials.pid <= 0) return holder;
  auto process = open_process(peer.credentials.pid);
  // Where the kernel or the sandbox hides processes, the connection alone holds the job.
  const bool seen_before = peer.start_ticks != 0;
  if (!process && (process.error().code != ESRCH || !seen_before)) return holder;
  if (!process || (seen_before && process->start_ticks != peer.start_ticks))
    return pid_problem("a running process: the one that opened this connection is gone; connect anew");
  holder.process = *std::move(process);
  return holder;
}

Result<void> JobHolders::add(JobId job, JobHolder holder) {
  EventLoop::Source source;
  if (holder.process) {
    // A dead process stays readable: once is enough.
    auto made = loop_.add_io(holder.process->pidfd.value(), EPOLLIN, "job process", [this, job](std::uint32_t) {
      held_.at(job).process_gone.disarm();
      lost_(job);
    });
    if (!made) return failure(std::move(made.error()));
    source = *std::move(made);
  }
  held_.insert_or_assign(job, Held{std::move(holder), std::move(source)});
  return {};
}

const JobHolder* JobHolders::of(JobId job) const {
  const auto found = held_.find(job);
  return found == held_.end() ? nullptr : &found->second.holder;
}

void JobHolders::connection_gone(ConnectionId connection) {
  std::vector<JobId> lost;
  for (const auto& [job, held] : held_) {
    if (held.holder.connection == connection) lost.push_back(job);
  }
  for (const JobId job : lost) lost_(job);
}

}  // namespace sweetspot
