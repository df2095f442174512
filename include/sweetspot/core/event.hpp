// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/health.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"

namespace sweetspot {

/// What happened, as journal and watchers get it. The governor makes them; the service only passes them on.
struct JobStarted {
  JobId job_id;
  std::optional<std::string> name;
  Decision decision;
  Owner owner;
};
/// The second stage, a new cap or a late GPU node changed a running job's decision.
struct JobRedecided {
  JobId job_id;
  Decision decision;
};
struct JobEnded {
  EnergyRecord record;
  JobSpec spec;  ///< as the job had started
};
struct ClockPinned {
  Hertz clock;
};
struct ClockLost {
  std::optional<Hertz> clock;
  std::string detail;  ///< who and why, as far as known
};
struct ClockRestored {
  std::string detail;
};
struct Throttled {
  std::string detail;
};
struct TroubleBegan {
  HealthReason reason;
  std::string detail;
};
struct TroubleEnded {
  HealthReason reason;
};

using Event = std::variant<JobStarted, JobRedecided, JobEnded, ClockPinned, ClockLost, ClockRestored, Throttled,
                           TroubleBegan, TroubleEnded>;

}  // namespace sweetspot
