// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/run.hpp"

#include <cstdio>
#include <cstdlib>

#include "apps/sweetspot/child_process.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/wire/record_json.hpp"

namespace sweetspot {
namespace {

// Short: a daemon that hangs may not keep the training waiting.
constexpr ClientTimeouts timeouts{.connect = seconds(1), .call = seconds(2), .end_job = seconds(5)};

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void warn(const std::string& text) {
  say("warning: " + text);
}

std::string without(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) text += (text.empty() ? "" : ", ") + field;
  return "this sweetspotd is too old to know " + text + "; the job runs without";
}

}  // namespace

std::string name_of_command(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    if (ends_with(word, ".py") || ends_with(word, ".sh")) return base_name(word).substr(0, SpecLimits::name_bytes);
  }
  return base_name(command.front()).substr(0, SpecLimits::name_bytes);
}

RunCommand::RunCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command(
      "run", "run [OPTIONS] -- COMMAND…: runs a command as one job, says what it cost, exits as it does",
      "  sweetspot run --model ./llama --seq-len 48 -- python train.py --epochs 3\n"
      "  sweetspot run --policy fixed --freq 612MHz -- ./train.sh\n"
      "  sweetspot run --policy none -- python train.py     (measures, leaves the clock alone)\n"
      "The command finds its job's number in SWEETSPOT_JOB and may report progress to it. With no service it is run\n"
      "all the same, after a warning. Exit status: the command's, 128+n when signal n ended it; 127 not found, 126 "
      "not\n"
      "executable, 125 when `run` itself failed. --json: {\"record\": …, \"exit_status\": n} as the last line of "
      "stderr.",
      [this] { return run(); });
  add_spec_options(command, options_);
}

std::optional<RunCommand::HeldJob> RunCommand::start_job(const JobSpec& spec) {
  auto client = GovernorClient::connect(program_.socket_path(), timeouts);
  if (!client) {
    warn(client.error().message + "; running the command without it");
    return std::nullopt;
  }
  auto started = client->start_job(spec);
  if (!started) {
    warn("no job: " + started.error().message + "; running the command without it");
    return std::nullopt;
  }
  if (!started->left_out.empty()) warn(without(started->left_out));
  return HeldJob{.client = std::move(*client), .id = started->reply.job_id};
}

void RunCommand::lose(std::optional<HeldJob>& job, const std::string& why) {
  if (!job) return;
  warn("job " + std::to_string(job->id) + " is lost: " + why + "; the command runs on");
  job.reset();
}

std::optional<EnergyRecord> RunCommand::end_job(std::optional<HeldJob>& job) {
  if (!job) return std::nullopt;
  auto record = job->client.end_job(job->id);
  if (record) return std::move(*record);
  warn("job " + std::to_string(job->id) + " has no record: " + record.error().message);
  return std::nullopt;
}

void RunCommand::report(const std::optional<EnergyRecord>& record, int status) const {
  if (program_.json) {
    const std::string json = record ? record_to_json(*record) : "null";
    std::fprintf(stderr, "{\"record\": %s, \"exit_status\": %d}\n", json.c_str(), status);
  } else if (record) {
    say(record_line(*record));
  }
}

int RunCommand::run() {
  if (program_.wrapped.empty()) return usage_error("run: which command? It follows \"--\"", "run");
  auto spec = job_spec(options_);
  if (!spec) {
    say(spec.error().message);
    return ExitCode::run_failed;
  }
  if (!spec->name) spec->name = name_of_command(program_.wrapped);

  auto signals = SignalFeed::open({SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT});
  if (!signals) {
    say(signals.error().message);
    return ExitCode::run_failed;
  }
  std::optional<HeldJob> job = start_job(*spec);
  if (job) ::setenv("SWEETSPOT_JOB", std::to_string(job->id).c_str(), 1);
  auto child = ChildProcess::start(program_.wrapped, signals->mask_before());
  int status = 0;
  if (child) {
    status =
        wait_for_command(*child, *signals, job ? job->client.fd() : -1, [&] { lose(job, "sweetspotd went away"); });
  } else {
    say(child.error().message);
    status = exec_failure_status(child.error().code);
  }
  report(end_job(job), status);
  return status;
}

}  // namespace sweetspot
