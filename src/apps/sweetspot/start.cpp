// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/start.hpp"

#include <algorithm>

#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/client/human_text.hpp"

namespace sweetspot {
namespace {

std::string started_text(const StartReply& reply) {
  std::string text = "job " + std::to_string(reply.job_id) + ": " + decided_clock(reply.decision) + " (" +
                     printable(reply.decision.policy) + ")";
  if (reply.state == "pending") text += ", pending";
  if (!reply.decision.reason.empty()) text += "\n" + printable(reply.decision.reason);
  return text + "\n";
}

}  // namespace

StartCommand::StartCommand(Program& program) : program_(program) {
  CLI::App& command =
      program.add_command("start", "Starts a job for a process that already runs",
                          "  sweetspot start --pid 4242 --layers 12 --seq-len 48\n"
                          "  sweetspot start --pid $$ --policy ffg     (for this shell, until it ends)\n"
                          "The job ends with the process, or by `sweetspot end ID`.",
                          [this] { return run(); });
  command.add_option("--pid", pid_, "The process the job belongs to; yours, unless you are root")
      ->required()
      ->type_name("PID")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{0x7FFFFFFF}));
  add_spec_options(command, options_);
}

int StartCommand::run() {
  auto spec = job_spec(options_);
  if (!spec) return fail_with_spec(spec.error(), "start");
  spec->pid = pid_;
  auto client = GovernorClient::connect(program_.socket_path());
  if (!client) return fail_with(client.error());
  const auto started = client->start_job(*spec);
  if (!started) return fail_with(started.error());
  const auto& left_out = started->left_out;
  if (std::find(left_out.begin(), left_out.end(), "pid") != left_out.end())
    return fail_with({"this sweetspotd is too old to start a job for another process"});
  for (const std::string& field : left_out) say("warning: this sweetspotd is too old to know " + field);
  return print(program_.json ? started->json + "\n" : started_text(started->reply));
}

}  // namespace sweetspot
