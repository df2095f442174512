// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// The job that a stand-in training process runs under, told to the daemon as a training script would. A daemon that is
/// missing, refuses or goes away costs one warning and never the training. Ends as `lost` when this object goes without
/// end().
class GovernedJob {
 public:
  using Warn = std::function<void(const std::string& sentence)>;

  /// Starts the job and waits, for 2 s at most, until its clock is in force and its first sample taken. Within a
  /// `sweetspot run` or `sweep`, which puts its job's number into $SWEETSPOT_JOB, joins that job instead: its steps are
  /// reported, and the other process ends it.
  GovernedJob(const std::string& socket_path, const JobSpec& spec, Warn warn);
  /// Steps done since the start. Told on at most a hundred times per job, and at its end.
  void progress(std::uint64_t steps);
  /// What the job cost; empty when no daemon kept it, or another process will end it.
  [[nodiscard]] std::optional<EnergyRecord> end();

 private:
  [[nodiscard]] Result<void> start(const std::string& socket_path, const JobSpec& spec);
  void wait_for_clock();
  void report();
  void lose(const std::string& why);

  Warn warn_;
  std::optional<GovernorClient> client_;  // empty: no daemon keeps this job
  JobId id_ = 0;
  bool joined_ = false;
  std::uint64_t steps_between_reports_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t reported_ = 0;
};

}  // namespace sweetspot
