// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_daemon.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <utility>

#include "sweetspot/client/human_text.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* logs = "see `systemctl status sweetspotd` and `journalctl -u sweetspotd`";

Finding unreachable(const Error& error) {
  const bool not_running = error.code == ENOENT || error.code == ECONNREFUSED;
  return {not_running ? Verdict::warn : Verdict::fail, "service", error.message,
          not_running ? "sudo systemctl enable --now sweetspotd.socket" : logs};
}

/// What to do about what the service suffers from; the detail of a trouble often says more.
std::string remedy_of(const std::string& reason) {
  constexpr std::array<std::pair<std::string_view, const char*>, 8> remedies{
      {{"gpu_not_ready", "run any CUDA program once, or see `sudo dmesg | grep nvgpu`"},
       {"clock", "sudo sweetspotd --grant-access sweetspot, if it is permissions; see the lines on writing"},
       {"rival", "stop the program that writes the limits: see the lines on rivals"},
       {"throttled", "let the board cool, see its fan and its supply"},
       {"rails_missing", "see whether /sys/bus/i2c/drivers/ina3221 has a device"},
       {"sensor", "see what the bus says: `sudo dmesg | grep -E 'i2c|ina'`"},
       {"config", "sweetspotd --check-config, then sudo systemctl reload sweetspotd"},
       {"history", "see room and rights in /var/lib/sweetspotd; a damaged history.db can be moved away"}}};
  for (const auto& [known, remedy] : remedies) {
    if (reason == known) return remedy;
  }
  return logs;
}

std::vector<Finding> health_findings(const StatusReport& status) {
  std::vector<Finding> findings;
  for (const StatusReport::Trouble& trouble : status.health)
    findings.push_back({Verdict::warn, "service: " + printable(trouble.reason),
                        trouble.detail + " (for " + duration_text(trouble.since) + ")", remedy_of(trouble.reason)});
  if (findings.empty()) findings.push_back({Verdict::ok, "service health", "well", ""});
  return findings;
}

Finding version_finding(const StatusReport& status) {
  if (status.version == SWEETSPOT_VERSION) return {Verdict::ok, "version", "both are " SWEETSPOT_VERSION, ""};
  return {Verdict::warn, "version", "the service is " + printable(status.version) + ", this program " SWEETSPOT_VERSION,
          "sudo systemctl restart sweetspotd, if the package was upgraded; running jobs go on"};
}

/// Its status; of one that has only just started (the socket may have started it), once it has looked at the board.
Result<StatusReport> settled_status(GovernorClient& client) {
  constexpr Duration young = seconds(5);
  constexpr int tries = 20;
  auto status = client.status();
  for (int i = 0; i < tries && status && !status->gpu.node && status->uptime < young; ++i) {
    ::poll(nullptr, 0, 50);
    status = client.status();
  }
  return status;
}

}  // namespace

DaemonFindings daemon_findings(const std::string& socket_path) {
  DaemonFindings out;
  auto client = GovernorClient::connect(socket_path);
  if (!client) {
    out.findings.push_back(unreachable(client.error()));
    return out;
  }
  auto status = settled_status(*client);
  if (!status) {
    out.findings.push_back({Verdict::fail, "service", socket_path + ": " + status.error().message, logs});
    return out;
  }
  out.findings.push_back({Verdict::ok, "service",
                          "sweetspotd " + status->version + " answers, " + std::to_string(status->jobs.size()) +
                              " jobs, clock " + status->clock.condition,
                          ""});
  out.findings.push_back(version_finding(*status));
  for (Finding& finding : health_findings(*status)) out.findings.push_back(std::move(finding));
  out.status = std::move(*status);
  out.client = std::move(*client);
  return out;
}

}  // namespace sweetspot
