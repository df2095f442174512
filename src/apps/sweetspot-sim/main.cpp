// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>

#include "apps/sweetspot-sim/curve.hpp"
#include "apps/sweetspot-sim/lists.hpp"
#include "apps/sweetspot-sim/train.hpp"
#include "sweetspot/simulator/mount.hpp"

namespace {

using namespace sweetspot;

constexpr int exit_usage = 2;
constexpr int exit_no_mount = 3;

int complain(const std::string& message, int status) {
  std::cerr << "sweetspot-sim: " << message << "\n";
  return status;
}

struct MountOptions {
  std::string board = "agx-orin-64-jp6";
  std::string workload = "idle";
  bool foreground = true;
  MountRequest request;
};

void add_mount(CLI::App& app, MountOptions& options) {
  auto* mount = app.add_subcommand("mount", "Play a board as a file system: DIR/sys, DIR/etc, DIR/control");
  auto& request = options.request;
  mount->add_option("DIR", request.directory, "Where; an empty directory")->required();
  mount
      ->add_option("--board", options.board,
                   "Board id (sweetspot-sim boards), or a recorded board: FILE.tar of `sweetspot record-board`, or a "
                   "folder with "
                   "its tree.txt")
      ->type_name("ID|FILE.tar|DIR")
      ->capture_default_str();
  mount->add_option("--workload", options.workload, "Runs while no process has registered a load")
      ->capture_default_str();
  mount->add_option("--time-scale", request.time_scale, "Training runs so many times faster; powers stay as they are")
      ->check(CLI::Range(0.001, 1e6))
      ->capture_default_str();
  mount->add_option("--fault", request.faults, "A line of the control grammar below; may be repeated")
      ->allow_extra_args(false);
  mount->add_option("--seed", request.seed, "For clock delays and noise")->capture_default_str();
  mount->add_flag("!--no-sensor-noise", request.sensor_noise, "Rails read the nearest step of the true power");
  mount->add_option("--run-noise", request.run_noise, "Spread of power from run to run, as a fraction (0.02)")
      ->check(CLI::Range(0.0, 0.5))
      ->capture_default_str();
  mount->add_option("--mode", request.power_mode, "Power mode id; the uncapped one unless given");
  mount->add_flag("--allow-other", request.allow_other, "Let other users see the board (root always does)");
  mount->add_flag("--foreground", options.foreground, "Stay in the foreground (always so; end with SIGTERM or Ctrl-C)");
  mount->footer(fault_grammar() +
                "\nDIR/control   faults and events; read: the last refused line, accesses per program\n"
                "DIR/accesses  `COMM COUNT` of accesses below sys\n"
                "DIR/writes    every write below sys: `PATH VALUE ERRNO COMM`\n"
                "DIR/truth     JSON: the real clock, power and energy per rail, steps of every load\n");
}

int run_mount_command(MountOptions& options) {
  auto board = load_board(options.board);
  if (!board) return complain(board.error().message, exit_usage);
  for (const std::string& note : board->notes) complain(note, 0);
  auto work = find_workload(options.workload);
  if (!work) return complain(work.error().message, exit_usage);
  options.request.board = std::move(*board);
  options.request.background = std::move(*work);
  options.request.on_ready = [] { std::cout << "ready" << std::endl; };
  const auto done = run_mount(std::move(options.request));
  return done ? 0 : complain(done.error().message, done.error().code == EINVAL ? exit_usage : exit_no_mount);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Plays a Jetson board: files that answer as the kernel's do, on a physical model. Nothing here is a "
      "measurement of your hardware.",
      "sweetspot-sim"};
  app.require_subcommand(1);
  app.set_version_flag("--version", SWEETSPOT_VERSION);
  MountOptions mount;
  bool boards_json = false;
  bool workloads_json = false;
  add_mount(app, mount);
  TrainCommand train(app);
  const CurveCommand curve(app);
  app.add_subcommand("boards", "The boards it can play")->add_flag("--json", boards_json, "As JSON");
  app.add_subcommand("workloads", "The jobs it can play")->add_flag("--json", workloads_json, "As JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (app.got_subcommand("mount")) return run_mount_command(mount);
  if (app.got_subcommand("train")) return train.run();
  if (app.got_subcommand("curve")) return curve.run();
  if (app.got_subcommand("boards")) std::cout << (boards_json ? board_list_json() : board_list());
  if (app.got_subcommand("workloads")) std::cout << (workloads_json ? workload_list_json() : workload_list());
  return 0;
}
