// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/measured_clock.hpp"
#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// Everything `sweetspot status` shows: the reply of GetStatus, in both directions. Passive. Names of states are texts,
/// so that a client can show what a newer daemon says. What is not known is empty, never 0.
struct StatusReport {
  struct Board {
    std::optional<std::string> model;    ///< device-tree model
    std::optional<std::string> soc;      ///< for example "tegra234"
    std::optional<std::string> l4t;      ///< for example "36.4.7"
    std::optional<std::string> jetpack;  ///< for example "6.2.1"
    friend bool operator==(const Board&, const Board&) = default;
  };
  struct Gpu {
    std::optional<std::string> node;  ///< devfreq directory; empty while the GPU is missing
    std::vector<Hertz> available;
    std::optional<Hertz> min;  ///< the limits as found before any pin of ours
    std::optional<Hertz> max;
    std::optional<std::string> governor;
    std::optional<Hertz> cur;
    friend bool operator==(const Gpu&, const Gpu&) = default;
  };
  struct Clock {
    std::string condition;  ///< name_of(ClockCondition)
    std::optional<Hertz> goal;
    std::optional<Hertz> applied;
    std::optional<Hertz> current;
    std::string detail;
    friend bool operator==(const Clock&, const Clock&) = default;
  };
  /// How the daemon chooses: a summary of its configuration.
  struct Settings {
    std::string policy;
    Hertz ffg;
    std::string arbitration;
    std::string objective;
    bool second_stage = false;
    std::string pin_style;
    std::optional<std::string> tree;  ///< name of the tree that policy "tree" uses
    friend bool operator==(const Settings&, const Settings&) = default;
  };
  struct Job {
    JobId job_id = 0;
    std::optional<std::string> name;
    std::string state;  ///< name_of(JobState)
    Decision decision;
    Owner owner;
    std::chrono::system_clock::time_point started;
    Duration duration{0};
    std::optional<std::int64_t> steps;
    std::optional<Joules> energy;  ///< so far, sum of the counted rails
    std::optional<Watts> mean_power;
    double coverage = 0;
    std::int64_t shared_with = 0;
    std::optional<Duration> lease_left;
    std::optional<std::vector<MeasuredClock>> measured;  ///< by policy adaptive; empty for other policies
    friend bool operator==(const Job&, const Job&) = default;
  };
  struct Rail {
    std::string name;
    std::optional<Watts> power;    ///< at the last sample
    std::optional<Joules> energy;  ///< since the daemon started, over the time it sampled
    bool counted = false;          ///< by the configured objective
    friend bool operator==(const Rail&, const Rail&) = default;
  };
  struct RailLeftOut {
    std::string name;
    std::string reason;
    friend bool operator==(const RailLeftOut&, const RailLeftOut&) = default;
  };
  struct Sampler {
    bool running = false;
    std::int64_t period_ms = 0;
    std::uint64_t samples = 0;
    friend bool operator==(const Sampler&, const Sampler&) = default;
  };
  struct Trouble {
    std::string reason;  ///< name_of(HealthReason)
    std::string detail;
    Duration since{0};  ///< how long ago it began
    friend bool operator==(const Trouble&, const Trouble&) = default;
  };

  std::string version;
  std::int32_t pid = 0;
  Duration uptime{0};
  Board board;
  std::optional<std::string> power_mode;
  Gpu gpu;
  Clock clock;
  Settings settings;
  std::vector<Job> jobs;
  std::vector<Rail> rails;
  std::vector<RailLeftOut> rails_left_out;
  std::optional<double> gpu_load_percent;
  Sampler sampler;
  std::vector<Trouble> health;  ///< empty: well
  std::int64_t connections = 0;
  std::int64_t watchers = 0;
  std::int64_t oneway_errors = 0;  ///< oneway calls that failed, which nobody was told
  friend bool operator==(const StatusReport&, const StatusReport&) = default;
};

/// The parameters object of GetStatus' reply.
[[nodiscard]] std::string status_to_json(const StatusReport& report);
/// Reads one back; unknown fields are ignored.
[[nodiscard]] Result<StatusReport> parse_status(std::string_view json);

}  // namespace sweetspot
