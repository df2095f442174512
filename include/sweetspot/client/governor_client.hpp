// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/client/connection.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/wire/replies.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// How long a caller waits. The daemon answers a call within 50 ms, EndJob after one more sample.
struct ClientTimeouts {
  Duration connect = seconds(2);
  Duration call = seconds(5);
  Duration end_job = seconds(15);
};

/// The daemon's methods, typed. Blocking, one thread. Refusals are errors with the daemon's own sentence and code 0;
/// codes other than 0 mean that the connection is gone. A job started here without a pid ends when this object goes.
class GovernorClient {
 public:
  [[nodiscard]] static Result<GovernorClient> connect(const std::string& socket_path, ClientTimeouts timeouts = {});

  struct Started {
    StartReply reply;
    std::string json;                   ///< the same as the daemon wrote it
    std::vector<std::string> left_out;  ///< fields of the spec that this daemon is too old to know; they had no effect
  };
  struct Explained {
    Decision decision;
    std::vector<std::string> left_out;
  };
  [[nodiscard]] Result<Started> start_job(const JobSpec& spec);
  /// Oneway: nobody hears of a refusal.
  [[nodiscard]] Result<void> report_progress(JobId job, std::int64_t steps);
  [[nodiscard]] Result<EnergyRecord> end_job(JobId job);
  [[nodiscard]] Result<Explained> explain(const JobSpec& spec);
  [[nodiscard]] Result<StatusReport> status();
  /// GetStatus' reply as the daemon wrote it: also what this client does not know yet.
  [[nodiscard]] Result<std::string> status_json();

  /// Readable without a call under way: the daemon hung up.
  [[nodiscard]] int fd() const { return connection_.fd(); }

 private:
  GovernorClient(Connection connection, ClientTimeouts timeouts)
      : connection_(std::move(connection)), timeouts_(timeouts) {}
  /// The reply's parameters, or the refusal as an error.
  [[nodiscard]] Result<std::string> ask(const Call& call, Duration timeout);
  [[nodiscard]] Result<RestrictedSpec> for_this_daemon(const JobSpec& spec);

  Connection connection_;
  ClientTimeouts timeouts_;
  std::optional<std::vector<std::string>> spec_fields_;  ///< as the daemon describes JobSpec; read once
};

}  // namespace sweetspot
