// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sweetspot/core/clock_status.hpp"
#include "sweetspot/core/health.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/measured_clock.hpp"
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
/// Policy adaptive chose another clock for a running job; the decision is the one from now on.
struct JobMoved {
  JobId job_id;
  Decision decision;
  std::optional<Hertz> from;  ///< empty: not pinned
  std::vector<MeasuredClock> measured;
};
/// Policy adaptive has measured on, and the clock stays.
struct JobMeasured {
  JobId job_id;
  Decision decision;
  std::vector<MeasuredClock> measured;
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

using Event = std::variant<JobStarted, JobRedecided, JobMoved, JobMeasured, JobEnded, ClockPinned, ClockLost,
                           ClockRestored, Throttled, TroubleBegan, TroubleEnded>;

}  // namespace sweetspot
