// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "service/event_loop.hpp"
#include "service/varlink_server.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/platform/process.hpp"

namespace sweetspot {

/// What keeps a job alive: a connection, a process, or both, whichever goes first.
struct JobHolder {
  std::optional<ConnectionId> connection;
  std::optional<WatchedProcess> process;
};

/// Finds out who would hold a job of this caller: with `spec.pid` that process alone (of the same uid, or any for root,
/// and not named from inside a pid namespace, where the number means another process), else the connection and the
/// process that opened it. A refusal is the spec's field "pid".
[[nodiscard]] tl::expected<JobHolder, SpecProblem> holder_for(const JobSpec& spec, ConnectionId connection,
                                                              const Peer& peer);

/// Watches the holders of running jobs. Loop thread only.
class JobHolders {
 public:
  JobHolders(EventLoop& loop, std::function<void(JobId)> lost) : loop_(loop), lost_(std::move(lost)) {}

  [[nodiscard]] Result<void> add(JobId job, JobHolder holder);
  void connection_gone(ConnectionId connection);
  /// Null where nobody is known to hold the job.
  [[nodiscard]] const JobHolder* of(JobId job) const;
  /// The job has ended; nobody needs to hold it.
  void forget(JobId job) { held_.erase(job); }

 private:
  struct Held {
    JobHolder holder;
    EventLoop::Source process_gone;
  };
  EventLoop& loop_;
  std::function<void(JobId)> lost_;
  std::map<JobId, Held> held_;
};

}  // namespace sweetspot
