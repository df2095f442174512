// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sweetspot/core/job.hpp"
#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/status_report.hpp"
#include "sweetspot/wire/watch_event.hpp"

namespace sweetspot {

/// What StartJob answers.
struct StartReply {
  JobId job_id = 0;
  Decision decision;
  std::optional<Hertz> applied;  ///< the clock in force, if it already is
  std::string state;             ///< name_of(JobState)
  friend bool operator==(const StartReply&, const StartReply&) = default;
};

/// What GetInfo answers, beside the two interfaces.
struct ServiceDescription {
  std::string vendor;
  std::string product;
  std::string version;
  std::string url;
};

// The replies, each a whole varlink message with its NUL.
[[nodiscard]] std::string start_job_reply(const StartReply& reply);
[[nodiscard]] std::string end_job_reply(const EnergyRecord& record);
[[nodiscard]] std::string explain_reply(const Decision& decision);
[[nodiscard]] std::string status_reply(const StatusReport& report);
/// `continues` is always set: a watch ends when the caller hangs up.
[[nodiscard]] std::string watch_event_reply(const WatchEvent& event);
[[nodiscard]] std::string empty_reply();
[[nodiscard]] std::string info_reply(const ServiceDescription& info);
/// InterfaceNotFound when the daemon has no such interface.
[[nodiscard]] std::string interface_description_reply(std::string_view interface);

// The errors of io.sweetspotd.Governor.
struct NoSuchJob {
  JobId job_id = 0;
};
struct NotYourJob {
  JobId job_id = 0;
};
struct TooManyJobs {
  std::size_t limit = 0;
  std::string whose;  ///< "uid 1000" or "the daemon"
};
struct InvalidSpec {
  std::string field;
  std::string expected;
};
struct ClockUnavailable {
  std::string reason;
};
struct Busy {
  std::string reason;
};
using GovernorError = std::variant<NoSuchJob, NotYourJob, TooManyJobs, InvalidSpec, ClockUnavailable, Busy>;

[[nodiscard]] std::string error_reply(const GovernorError& error);
/// Empty for NotVarlink: there is nothing to answer. Whether a oneway caller gets it is the server's business.
[[nodiscard]] std::string error_reply(const CallProblem& problem);

}  // namespace sweetspot
