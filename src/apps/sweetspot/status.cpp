// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/status.hpp"

#include "apps/sweetspot/status_text.hpp"
#include "sweetspot/client/governor_client.hpp"

namespace sweetspot {

StatusCommand::StatusCommand(Program& program) : program_(program) {
  program.add_command("status", "Shows clock, jobs, rails and health",
                      "  sweetspot status\n"
                      "  sweetspot status --json     (the service's own reply to GetStatus)",
                      [this] { return run(); });
}

int StatusCommand::run() {
  auto client = GovernorClient::connect(program_.socket_path());
  if (!client) return fail_with(client.error());
  const auto json = client->status_json();
  if (!json) return fail_with(json.error());
  if (program_.json) return print(*json + "\n");
  const auto report = parse_status(*json);
  if (!report) return fail_with(Error(report.error()).within("GetStatus' reply"));
  return print(status_text(*report));
}

}  // namespace sweetspot
