// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sweetspot/core/event.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What the board does at one instant. Power that could not be read is empty.
struct WatchSample {
  struct Rail {
    std::string name;
    std::optional<Watts> power;
    friend bool operator==(const Rail&, const Rail&) = default;
  };
  std::vector<Rail> rails;
  std::optional<double> gpu_load_percent;
  std::optional<Hertz> clock;  ///< cur_freq at the last look
  friend bool operator==(const WatchSample&, const WatchSample&) = default;
};

/// An event of a kind this client does not know yet: a newer daemon.
struct UnknownEvent {
  std::string kind;
};

/// One reply of Watch.
struct WatchEvent {
  Duration at{0};  ///< on the daemon's monotonic clock; only differences mean anything
  std::variant<WatchSample, Event, UnknownEvent> what;
};

/// "sample", "job_started", "job_redecided", "job_moved", "job_measured", "job_ended", "clock_pinned", "clock_lost",
/// "clock_restored", "throttled", "trouble_began", "trouble_ended".
[[nodiscard]] std::string kind_of(const WatchEvent& event);

/// The parameters object of Watch's replies: {"event": {"kind": …, "at_s": …, …}}.
[[nodiscard]] std::string watch_event_to_json(const WatchEvent& event);
[[nodiscard]] Result<WatchEvent> parse_watch_event(std::string_view json);

}  // namespace sweetspot
