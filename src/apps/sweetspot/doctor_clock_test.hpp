// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/wire/findings_json.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// The lock and the saved clock in the service's private folder. Only looks.
[[nodiscard]] std::vector<Finding> runtime_findings(const std::string& runtime_dir);

/// What decides whether the clock may be written for a moment.
struct ClockTestFacts {
  bool wanted = true;                  ///< false: the user asked to look only
  bool kernel_files = true;            ///< false: a copy of a board, in plain files
  std::optional<double> load_percent;  ///< of the GPU now, where there is a load file
  bool limits_may_hang = false;        ///< GpuNode::limits_may_hang
  std::optional<StatusReport> daemon;  ///< its status, where it answers
  std::string node;                    ///< GpuNode::devfreq_dir
};
[[nodiscard]] ClockTestFacts clock_test_facts(const FileAttributes& board, const GpuNode& gpu,
                                              const std::optional<StatusReport>& daemon);
/// Why the test has to be left out, as a finding: never while a job runs, a pin is held or the GPU is busy. Empty: go.
[[nodiscard]] std::optional<Finding> no_clock_test(const ClockTestFacts& facts);

/// Without a service: pins the clock for a moment, reads it back and restores it: with the service's own code, lock and
/// saved file, so that a crash in between is undone like one of the service; SIGINT, SIGTERM, SIGHUP and SIGQUIT wait
/// until it is over. For root it gives up root for good and goes on as the owner of `runtime_dir`, who is whom the
/// service runs as. Skipped, with the reason, where this user may not write and where a pin is left from before.
[[nodiscard]] Finding clock_test(FileAttributes& board, const GpuNode& gpu, const std::string& runtime_dir);

/// With an idle service: a job of a moment over its socket, at a fixed clock, so that the service itself writes, reads
/// back and restores; `board` is looked at before and after. Whatever ends this program ends that job.
[[nodiscard]] Finding service_clock_test(const FileAttributes& board, const GpuNode& gpu, GovernorClient& service);

}  // namespace sweetspot
