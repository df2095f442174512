// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bench/table.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace sweetspot::bench {

/// How often each thing is measured.
struct Effort {
  int round_trips = 10'000;
  int job_pairs = 300;
  int sampling_turns = 24;  ///< each a quarter of a second of the daemon and of the baseline
  int starts = 30;
  int decisions = 200'000;
};

// Each measurement brings its own daemon where it needs one, on the board mounted at `sysfs_root`, takes daemon and
// baseline in turns, and throws std::exception when something refuses.

/// GetStatus of an idle daemon against an echo.
[[nodiscard]] std::vector<Row> measure_round_trips(const std::string& sysfs_root, const Effort& effort);
/// StartJob and EndJob against two echoes and the bare writes, read-backs and rail reads.
[[nodiscard]] std::vector<Row> measure_job_pairs(const std::string& sysfs_root, const Effort& effort);
/// Processor time of the sampler thread per sample against a thread that wakes as often and reads the same files.
[[nodiscard]] std::vector<Row> measure_sampling(const std::string& sysfs_root, const Effort& effort);
/// The core's decision by the MLG tree.
[[nodiscard]] std::vector<Row> measure_decisions(const Effort& effort);
/// A decision of the adaptive policy, its belief brought up to date and the next clock thought of.
[[nodiscard]] std::vector<Row> measure_adaptive(const Effort& effort);
/// Memory of the idle daemon.
[[nodiscard]] std::vector<Row> measure_memory(const std::string& sysfs_root);
/// From exec to READY=1, and on to the end of the first look at the board.
[[nodiscard]] std::vector<Row> measure_starts(const std::string& sysfs_root, const Effort& effort);

/// A daemon whose journal entries go to a journal socket that somebody empties, as under systemd.
[[nodiscard]] tests::DaemonSetup with_journal(const std::string& config = "{}");
/// Waits until the daemon has found GPU and rails, holds no clock and has told so.
void wait_until_idle(const tests::RunningDaemon& daemon);

}  // namespace sweetspot::bench
