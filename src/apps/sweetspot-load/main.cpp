// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>

#include "apps/sweetspot-load/complaint.hpp"
#include "apps/sweetspot-load/load_options.hpp"
#include "apps/sweetspot-load/training_run.hpp"
#include "apps/sweetspot-load/true_clock.hpp"
#include "sweetspot/client/human_text.hpp"

namespace {

using namespace sweetspot;

/// Options as texts and flags, before they are LoadOptions.
struct CommandLine {
  LoadOptions options;
  std::string window = "200ms";
  std::string between = "1s";
  bool tf32 = false;
  bool alone = false;
  bool true_clock = false;
};

void add_model_options(CLI::App& app, LoadOptions& options) {
  TrainingShape& shape = options.shape;
  const std::string group = "Model and batch";
  app.add_option("--layers", shape.layers, "Encoder layers")->capture_default_str()->group(group);
  app.add_option("--hidden-size", shape.hidden_size, "Width of the layers")->capture_default_str()->group(group);
  app.add_option("--heads", shape.heads, "Attention heads")->capture_default_str()->group(group);
  app.add_option("--batch-size", shape.batch_size, "Sequences a step")->capture_default_str()->group(group);
  app.add_option("--seq-len", shape.sequence_length, "Tokens a sequence")->capture_default_str()->group(group);
  app.add_option("--classes", shape.classes, "Classes that every token is told apart into")
      ->capture_default_str()
      ->group(group);
}

void add_run_options(CLI::App& app, CommandLine& line) {
  LoadOptions& options = line.options;
  app.add_option("--steps", options.steps, "Steps to train; one more runs before them and is not counted")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the made-up batch and the first weights")->capture_default_str();
  app.add_flag("--tf32", line.tf32, "Matrix products on Tensor Cores, in TensorFloat-32 instead of 32-bit floats");
  app.add_flag("--cpu", options.on_cpu, "On one core of the CPU instead: slow, for small sizes");
  app.add_option("--name", options.name, "The job's name")->capture_default_str();
  app.add_option("--socket", options.socket, "Where sweetspotd listens; $SWEETSPOT_SOCKET, else the usual place");
  app.add_flag("--no-job", line.alone, "Tell no sweetspotd");
}

void add_clock_options(CLI::App& app, CommandLine& line) {
  const std::string group = "True clock";
  auto* wanted = app.add_flag("--true-clock", line.true_clock,
                              "Count the GPU's cycles while it trains, and compare with devfreq's cur_freq; no job")
                     ->group(group);
  app.add_option("--readings", line.options.readings, "How many")
      ->check(CLI::PositiveNumber)
      ->needs(wanted)
      ->capture_default_str()
      ->group(group);
  app.add_option("--window", line.window, "How long each counts")->needs(wanted)->capture_default_str()->group(group);
  app.add_option("--between", line.between, "Time from one to the next")
      ->needs(wanted)
      ->capture_default_str()
      ->group(group);
  app.add_option("--sysfs-root", line.options.sysfs_root, "The board's files are DIR/sys instead of /sys")
      ->type_name("DIR")
      ->needs(wanted)
      ->group(group);
}

int run(CommandLine& line) {
  LoadOptions& options = line.options;
  if (const auto problem = problem_in(options.shape)) return complain(*problem, exit_usage);
  const auto window = parse_duration(line.window);
  if (!window) return complain("--window: " + window.error().message, exit_usage);
  const auto between = parse_duration(line.between);
  if (!between) return complain("--between: " + between.error().message, exit_usage);
  if (*window < std::chrono::milliseconds(1) || *window > seconds(10))
    return complain("--window: from 1ms to 10s", exit_usage);
  options.window = *window;
  options.between_readings = *between;
  options.format = line.tf32 ? MatrixFormat::tf32 : MatrixFormat::fp32;
  options.with_job = !line.alone;
  return line.true_clock ? show_true_clock(options) : train(options);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Trains a made-up transformer on the GPU: a load for sweeps on a board without a training script. Its job is "
      "told "
      "to sweetspotd. The GPU code was compiled for compute capability 8.7, and run neither on a Jetson nor on any "
      "other GPU yet.",
      "sweetspot-load"};
  app.set_version_flag("--version", SWEETSPOT_VERSION);
  CommandLine line;
  add_model_options(app, line.options);
  add_run_options(app, line);
  add_clock_options(app, line);
  app.get_option("--true-clock")->excludes("--cpu");
  app.footer(
      "Exit status: 0; 1 when something fails; 2 for a command line it does not understand; 3 without CUDA or a GPU;\n"
      "128+n when signal n ended it between two steps. Within `sweetspot run` or `sweep` it joins that job "
      "($SWEETSPOT_JOB).");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  return run(line);
}
