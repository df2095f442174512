// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-sim/train.hpp"

#include <iostream>
#include <optional>

#include "sweetspot/client/governed_job.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/simulator/workload.hpp"
#include "sweetspot/wire/record_json.hpp"

namespace sweetspot {

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

int complain(const std::string& message, int status = exit_failure) {
  std::cerr << "sweetspot-sim: " << message << "\n";
  return status;
}

/// What a training script would say about this workload.
JobSpec spec_of(const Workload& work, std::uint64_t steps) {
  JobSpec spec;
  spec.name = work.id;
  spec.layers = work.layers;
  spec.hidden_size = work.hidden_size;
  spec.mean_sequence_length = work.mean_sequence_length;
  spec.batch_size = work.batch_size;
  spec.total_steps = static_cast<std::int64_t>(steps);
  return spec;
}

void warn(const std::string& sentence) {
  complain("warning: " + sentence);
}

void print(const std::optional<EnergyRecord>& record, bool json) {
  if (json) {
    std::cout << "{\"record\": " << (record ? record_to_json(*record) : "null") << "}" << std::endl;
  } else if (record) {
    std::cout << record_line(*record) << std::endl;
  }
}

}  // namespace

TrainCommand::TrainCommand(CLI::App& app) {
  auto* train = app.add_subcommand("train", "A stand-in training process on a mounted board");
  train->add_option("--sysfs-root", request_.root, "The mounted DIR")->required();
  train->add_option("--workload", request_.workload, "Workload id (sweetspot-sim workloads)")->required();
  train->add_option("--steps", request_.steps, "Steps; the workload's own number unless given");
  auto* socket = train->add_option(
      "--socket", socket_,
      "Train as a job of the sweetspotd that listens there; with $SWEETSPOT_JOB, report steps to that job");
  train->add_option("--policy", policy_, "The job's policy; the daemon's default unless given")->needs(socket);
  train->add_option("--freq", frequency_, "The clock of policy fixed: 612MHz, 0.612GHz or bare Hz")->needs(socket);
  train->add_option("--name", name_, "The job's name; the workload's id unless given")->needs(socket);
  train->add_flag("--json", json_, "End with `{\"record\": …}`, the daemon's record of the job")->needs(socket);
  train->add_flag("--progress", progress_, "Print `STEPS/TOTAL` lines");
}

Result<JobSpec> TrainCommand::spec_as_asked(const Workload& work) const {
  JobSpec spec = spec_of(work, request_.steps);
  if (!name_.empty()) spec.name = name_;
  if (!policy_.empty()) spec.policy = policy_;
  if (frequency_.empty()) return spec;
  const auto clock = parse_frequency(frequency_);
  if (!clock) return failure(Error(clock.error()).within("--freq"));
  spec.frequency = *clock;
  return spec;
}

int TrainCommand::run() {
  const auto work = find_workload(request_.workload);
  if (!work) return complain(work.error().message, exit_usage);
  if (request_.steps == 0) request_.steps = static_cast<std::uint64_t>(work->total_steps);
  std::optional<GovernedJob> job;
  if (!socket_.empty()) {
    const auto spec = spec_as_asked(*work);
    if (!spec) return complain(spec.error().message);
    job.emplace(socket_, *spec, warn);
  }
  std::uint64_t done = 0;
  request_.on_steps = [&](std::uint64_t more) {
    done += more;
    if (job) job->progress(done);
    if (progress_) std::cout << done << "/" << request_.steps << std::endl;
    return true;
  };
  const auto result = run_training(request_);
  if (job) print(job->end(), json_);
  return result ? 0 : complain(result.error().message);
}

}  // namespace sweetspot
