// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/governor.hpp"
#include "sweetspot/core/pin_style.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The daemon's configuration, as its file says. Every member has a default; each key is described in config_keys().
struct Config {
  struct Sampling {
    Duration period = std::chrono::milliseconds(100);
    Duration longest_step = seconds(1);  ///< samples further apart have a gap between them
    Duration log_period = seconds(10);   ///< the rails in the journal while a job runs; 0: off
    friend bool operator==(const Sampling&, const Sampling&) = default;
  };
  struct Clock {
    PinStyle pin_style = PinStyle::exact;
    std::optional<std::string> gpu_node;  ///< devfreq directory, instead of the one found
    Duration check_period = seconds(1);   ///< a pin is looked at this often
    std::uint64_t attempts = 5;           ///< a refused write is tried so often, after 1, 2, 4 … s (RetrySchedule)
    std::uint64_t repins_per_minute = 3;  ///< after a rival's write (RepinBudget)
    Duration relax_after{0};              ///< a GPU without load for so long is not held any more; 0: always held
    Duration blocked_after = seconds(5);  ///< a read or write that takes longer counts as blocked
    friend bool operator==(const Clock&, const Clock&) = default;
  };
  struct Limits {
    std::uint64_t connections = 1024;
    std::uint64_t connections_per_uid = 256;
    std::uint64_t watchers_per_uid = 16;
    std::uint64_t reply_backlog_bytes = 1024 * 1024;  ///< a client that reads more slowly than that is dropped
    Duration shortest_watch_period = std::chrono::milliseconds(20);
    friend bool operator==(const Limits&, const Limits&) = default;
  };
  struct History {
    bool enabled = true;
    std::uint64_t keep_days = 730;  ///< 0: for ever
    std::uint64_t size_mib = 128;   ///< 0: whatever it takes
    friend bool operator==(const History&, const History&) = default;
  };

  GovernorSettings governor;             ///< `policy.tree` stays empty: whoever reads files fills it from tree_file
  std::optional<std::string> tree_file;  ///< for policy "tree"
  Sampling sampling;
  Clock clock;
  Limits limits;
  History history;
  friend bool operator==(const Config&, const Config&) = default;
};

/// Reads a configuration: JSON with `//` comments. Keys that are left out keep their defaults; unknown keys, wrong
/// types and values out of range are refused with their place ("second_stage.settle_s") and what was expected there.
[[nodiscard]] Result<Config> parse_config(std::string_view text);

/// One key as the documentation shows it.
struct ConfigKey {
  std::string path;           ///< for example "second_stage.settle_s"
  std::string type;           ///< for example "clock", "seconds", "one of highest, newest, lowest"
  std::string default_value;  ///< as it would stand in the file
  std::string range;          ///< empty where any value of the type will do
  std::string doc;            ///< one line
};
/// All keys, in the order of config/config.json. The same table drives parse_config().
[[nodiscard]] const std::vector<ConfigKey>& config_keys();

}  // namespace sweetspot
