// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-load/training_run.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>

#include "apps/sweetspot-load/complaint.hpp"
#include "apps/sweetspot-load/stop_signal.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/client/socket_path.hpp"
#include "sweetspot/load/cpu_arithmetic.hpp"

namespace sweetspot {

namespace {

void warn(const std::string& sentence) {
  complain("warning: " + sentence, 0);
}

JobSpec spec_of(const LoadOptions& options) {
  JobSpec spec;
  spec.name = options.name;
  spec.layers = static_cast<std::int64_t>(options.shape.layers);
  spec.hidden_size = static_cast<std::int64_t>(options.shape.hidden_size);
  spec.mean_sequence_length = static_cast<double>(options.shape.sequence_length);
  spec.batch_size = static_cast<std::int64_t>(options.shape.batch_size);
  spec.total_steps = static_cast<std::int64_t>(options.steps);
  return spec;
}

/// What came of the steps.
struct Outcome {
  std::uint64_t steps = 0;
  Duration time{};
  double first_loss = 0;
  double last_loss = 0;
};

void print(const Outcome& outcome) {
  const double time = in_seconds(outcome.time);
  std::printf("%llu steps in %.3f s: %.3f steps/s, %.3f ms a step; loss %.4f, at first %.4f\n",
              static_cast<unsigned long long>(outcome.steps), time, static_cast<double>(outcome.steps) / time,
              1e3 * time / static_cast<double>(outcome.steps), outcome.last_loss, outcome.first_loss);
  std::fflush(stdout);
}

/// All steps, timed; the first one before them was the warming up.
Result<Outcome> run_steps(const LoadOptions& options, TrainingStep<float>& step, Arithmetic<float>& arithmetic,
                          std::optional<GovernedJob>& job) {
  Outcome outcome;
  const auto first_loss = step.loss();
  if (!first_loss) return failure(Error(first_loss.error()));
  outcome.first_loss = *first_loss;
  const auto start = std::chrono::steady_clock::now();
  while (outcome.steps < options.steps && stop_signal() == 0) {
    if (auto done = run_step(step, arithmetic); !done) return failure(std::move(done.error()));
    ++outcome.steps;
    if (job) job->progress(outcome.steps);
  }
  outcome.time = std::chrono::steady_clock::now() - start;
  const auto last_loss = step.loss();
  if (!last_loss) return failure(Error(last_loss.error()));
  outcome.last_loss = *last_loss;
  return outcome;
}

}  // namespace

Result<std::unique_ptr<Arithmetic<float>>> arithmetic_for(const LoadOptions& options) {
  if (options.on_cpu) {
    std::cerr << "sweetspot-load: on one core of the CPU, by the reference: the GPU has nothing to do\n";
    return std::make_unique<CpuArithmetic<float>>();
  }
  const auto gpu = find_gpu_of_cuda();
  if (!gpu) return failure(Error(gpu.error()));
  std::cerr << "sweetspot-load: on " << gpu_text(*gpu) << "\n";
  return gpu_arithmetic(options.format);
}

std::optional<GovernedJob> job_for(const LoadOptions& options) {
  if (!options.with_job) return std::nullopt;
  return std::make_optional<GovernedJob>(socket_path(options.socket), spec_of(options), warn);
}

Result<void> run_step(TrainingStep<float>& step, Arithmetic<float>& arithmetic) {
  step.forward();
  step.backward();
  step.update();
  return arithmetic.finish();
}

int train(const LoadOptions& options) {
  auto arithmetic = arithmetic_for(options);
  if (!arithmetic) return complain(arithmetic.error().message, exit_no_gpu);
  std::cerr << "sweetspot-load: " << shape_text(options.shape) << "\n";
  auto step = TrainingStep<float>::create(**arithmetic, options.shape, options.seed);
  if (!step) return complain(step.error().message, exit_failure);
  // Libraries load what they need at the first step, which therefore does not count.
  if (const auto warm = run_step(*step, **arithmetic); !warm) return complain(warm.error().message, exit_failure);

  note_stop_signals();
  auto job = job_for(options);
  const auto outcome = run_steps(options, *step, **arithmetic, job);
  const auto record = job ? job->end() : std::nullopt;
  if (!outcome) return complain(outcome.error().message, exit_failure);
  if (outcome->steps > 0) print(*outcome);
  if (record) std::cout << record_line(*record) << std::endl;
  return stop_signal() == 0 ? 0 : 128 + stop_signal();
}

}  // namespace sweetspot
