// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-sim/curve.hpp"

#include <iostream>

#include "sweetspot/core/number_text.hpp"
#include "sweetspot/simulator/board.hpp"

namespace sweetspot {

namespace {

constexpr double cpu_watts = 1.75;  // as the table's workloads have

constexpr const char* column_names =
    "curve_id,platform,kind,workload,layers,hidden_size,mean_sequence_length,batch_size,total_steps,gpu_freq_mhz,"
    "repeat,time_s,energy_j,mean_gpu_load_percent,energy_scope,power_mode,source\n";

int refuse_curve(const std::string& message) {
  std::cerr << "sweetspot-sim: " << message << "\n";
  return 2;
}

/// The rails that carry GPU and CPU on the board the paper measured; elsewhere the parts themselves.
std::string scope_of(const Board& board) {
  return board.measured_here ? "VDD_GPU_SOC+VDD_CPU_CV" : "GPU+CPU";
}

std::string row_text(const Workload& work, const Board& board, const PlayedRun& run) {
  const std::string platform = board.id.substr(0, board.id.rfind("-jp"));
  const std::string clock = run.clock ? number_text(in_megahertz(*run.clock)) : "MAXN";
  return "sim-" + work.id + "," + platform + ",finetune," + work.id + "," + std::to_string(work.layers) + "," +
         std::to_string(work.hidden_size) + "," + number_text(work.mean_sequence_length) + "," +
         std::to_string(work.batch_size) + "," + number_text(work.total_steps) + "," + clock + "," +
         std::to_string(run.repeat) + "," + fixed_text(run.seconds, 3) + "," + fixed_text(run.joules, 2) + "," +
         fixed_text(100 * run.load, 1) + "," + scope_of(board) + ",MAXN," +
         (work.curve ? "simulated from published joules" : "simulated") + "\n";
}

}  // namespace

CurveCommand::CurveCommand(CLI::App& app) {
  shape_.demand.cpu_w = cpu_watts;
  auto* curve = app.add_subcommand(
      "curve", "What a job would cost at every clock, from the physical model, as `sweetspot evaluate` reads it");
  curve->add_option("--board", board_, "Board id (sweetspot-sim boards)")->type_name("ID")->capture_default_str();
  auto* known = curve->add_option("--workload", workload_, "Workload id (sweetspot-sim workloads); or the shape below");
  const auto shape = [&](const char* name, auto& value, const char* purpose, auto least, auto most) {
    curve->add_option(name, value, purpose)->check(CLI::Range(least, most))->excludes(known);
  };
  curve->add_option("--name", shape_.id, "MODEL/TASK")->type_name("TEXT")->excludes(known);
  shape("--layers", shape_.layers, "Transformer layers", 1, 1000);
  shape("--hidden-size", shape_.hidden_size, "Width of the model", 1, 1'000'000);
  shape("--seq-len", shape_.mean_sequence_length, "Mean length of the sequences, in tokens", 1.0, 1e6);
  shape("--batch-size", shape_.batch_size, "Sequences per step", 1, 1'000'000);
  shape("--steps", shape_.total_steps, "Steps in all", 1.0, 1e9);
  shape("--step-work", shape_.step.work_mhz_s, "GPU cycles of a step that scale with the clock, MHz s", 1e-3, 1e9);
  shape("--step-floor", shape_.step.floor_s, "Seconds of a step that the clock does not shorten", 0.0, 1e6);
  curve->add_option("--repeat", how_.repeats, "Runs per clock")->check(CLI::Range(1, 1000))->capture_default_str();
  curve->add_option("--run-noise", how_.run_noise, "Spread of power from run to run, as a fraction (0.02)")
      ->check(CLI::Range(0.0, 0.5))
      ->capture_default_str();
  curve->add_option("--seed", how_.seed, "Of that spread")->capture_default_str();
  curve->add_flag("--no-head", no_head_, "Leave out the line with the names of the columns");
}

int CurveCommand::run() const {
  const auto board = find_board(board_);
  if (!board) return refuse_curve(board.error().message);
  if (workload_.empty() && shape_.id.empty()) return refuse_curve("curve: --workload, or --name and a shape");
  const auto work = workload_.empty() ? Result<Workload>(shape_) : find_workload(workload_);
  if (!work) return refuse_curve(work.error().message);
  if (work->total_steps < 1 || work->step.work_mhz_s <= 0)
    return refuse_curve("curve: " + work->id + " needs --steps and --step-work");
  if (!no_head_) std::cout << column_names;
  for (const PlayedRun& run : played_runs(*work, *board, how_)) std::cout << row_text(*work, *board, run);
  std::cout.flush();
  return std::cout ? 0 : 1;
}

}  // namespace sweetspot
