// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/end.hpp"

#include <unistd.h>

#include "sweetspot/client/human_text.hpp"
#include "sweetspot/wire/record_json.hpp"

namespace sweetspot {
namespace {

std::string record_text(const EnergyRecord& record) {
  std::string text = "job " + std::to_string(record.job_id);
  if (record.name) text += " " + printable(*record.name);
  return text + ": " + record_line(record) + "\n";
}

}  // namespace

EndCommand::EndCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command("end", "Ends jobs and says what they cost",
                                          "  sweetspot end 7\n"
                                          "  sweetspot end --mine      (every job of this user)\n"
                                          "--json: {\"records\": [EnergyRecord, …]}",
                                          [this] { return run(); });
  auto* ids = command.add_option("ID", ids_, "Numbers of jobs, as `sweetspot status` shows them");
  command.add_flag("--mine", mine_, "All jobs of this user")->excludes(ids);
}

Result<std::vector<JobId>> EndCommand::jobs_to_end(GovernorClient& client) const {
  if (!mine_) return ids_;
  auto status = client.status();
  if (!status) return failure(std::move(status.error()));
  std::vector<JobId> mine;
  for (const StatusReport::Job& job : status->jobs) {
    if (job.owner.uid == ::getuid()) mine.push_back(job.job_id);
  }
  return mine;
}

int EndCommand::run() {
  if (!mine_ && ids_.empty()) return usage_error("end: which job? A number, or --mine", "end");
  auto client = GovernorClient::connect(program_.socket_path());
  if (!client) return fail_with(client.error());
  const auto jobs = jobs_to_end(*client);
  if (!jobs) return fail_with(jobs.error());
  if (jobs->empty() && !program_.json) return print("no jobs of user " + std::to_string(::getuid()) + "\n");

  int outcome = ExitCode::ok;
  std::string records;
  for (const JobId job : *jobs) {
    const auto record = client->end_job(job);
    if (!record) {
      outcome = fail_with({"job " + std::to_string(job) + ": " + record.error().message});
      continue;
    }
    if (program_.json) {
      records += (records.empty() ? "" : ", ") + record_to_json(*record);
    } else if (print(record_text(*record)) != ExitCode::ok) {
      return ExitCode::failure;
    }
  }
  if (program_.json && print("{\"records\": [" + records + "]}\n") != ExitCode::ok) return ExitCode::failure;
  return outcome;
}

}  // namespace sweetspot
