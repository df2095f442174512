// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/metrics.hpp"

#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/wire/metrics.hpp"

namespace sweetspot {

MetricsCommand::MetricsCommand(Program& program) : program_(program) {
  CLI::App& command =
      program.add_command("metrics", "Prints the status as Prometheus metrics",
                          "  sweetspot metrics\n"
                          "  sweetspot metrics -o /var/lib/node_exporter/textfile_collector/sweetspot.prom\n"
                          "The file is replaced in one piece; when the service does not answer it stays as it is.",
                          [this] { return run(); });
  command.add_option("-o,--output", output_, "Replace this file instead of printing")->type_name("FILE");
}

int MetricsCommand::run() {
  if (program_.json)
    return usage_error("metrics: --json has no meaning here; `status --json` is the same as JSON", "metrics");
  auto client = GovernorClient::connect(program_.socket_path());
  if (!client) return fail_with(client.error());
  const auto report = client->status();
  if (!report) return fail_with(report.error());
  const std::string text = metrics_text(*report);
  if (output_.empty()) return print(text);
  const auto replaced = replace_file(output_, text);
  return replaced ? ExitCode::ok : fail_with(replaced.error());
}

}  // namespace sweetspot
