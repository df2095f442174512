// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/sweep.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "apps/sweetspot/child_process.hpp"
#include "apps/sweetspot/curve_input.hpp"
#include "apps/sweetspot/sweep_session.hpp"
#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/client/human_text.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t most_repeats = 1000;

/// Why the file must not take this curve's rows; empty: it may.
std::string mixing_problem(const SweptBefore& before, const SweepCurve& curve, bool append) {
  std::string list;
  for (const std::string& difference : before.mismatch) list += (list.empty() ? "" : "; ") + printable(difference);
  if (!list.empty())
    return "its runs of " + curve.id + " are of something else (" + list +
           "); give this one another --name, or another file with -o";
  if (append || !before.rows.empty() || before.others.empty()) return {};
  for (const std::string& id : before.others) list += (list.empty() ? "" : ", ") + printable(id);
  return "it holds other curves (" + list + "); --append adds " + curve.id + " to them, -o names another file";
}

Result<SweptBefore> swept_before(const std::string& path, std::string_view text, const SweepCurve& curve, bool append) {
  auto before = read_swept(text, curve);
  if (!before) return failure(std::move(before.error()).within(path));
  const std::string problem = mixing_problem(*before, curve, append);
  if (!problem.empty()) return failure(path + ": " + problem);
  return before;
}

/// What a plan without a run needs of the file; one that is not there is empty.
Result<std::string> text_if_there(const std::string& path) {
  auto text = whole_file(path, longest_sweep_file);
  if (!text && text.error().code == ENOENT) return std::string();
  if (text) text->resize(whole_lines(*text));
  return text;
}

/// The curve as every other command reads it, empty while it has no run that counts.
Result<std::optional<Curve>> curve_in(const std::string& path, const std::string& id) {
  const auto text = whole_file(path, longest_sweep_file);
  if (!text) return failure(text.error());
  if (text->empty()) return std::nullopt;
  auto curves = parse_curves(*text);
  if (!curves) return failure(std::move(curves.error()).within(path));
  const auto found = std::find_if(curves->begin(), curves->end(), [&](const Curve& curve) { return curve.id == id; });
  if (found == curves->end()) return std::nullopt;
  return *found;
}

void add_point(const CurvePoint& point, bool pinned, SweepReport& report) {
  SweptPoint swept{.runs = point.energy_j.count(),
                   .energy_j = point.energy(),
                   .energy_deviation_j = point.energy_j.deviation(),
                   .time_s = point.time()};
  if (pinned) swept.clock = point.clock;
  report.points.push_back(swept);
}

void add_curve(const Curve& curve, SweepReport& report) {
  for (const CurvePoint& point : curve.points) add_point(point, true, report);
  if (curve.default_governor) add_point(*curve.default_governor, false, report);
  if (const CurvePoint* best = curve.least_energy()) report.best = best->clock;
}

/// "curves.csv" and a curve's id: "curves-ID.svg".
std::string svg_path(const std::string& output, const std::string& curve_id) {
  constexpr std::string_view ending = ".csv";
  std::string stem = output;
  if (stem.size() > ending.size() && stem.compare(stem.size() - ending.size(), ending.size(), ending) == 0)
    stem.resize(stem.size() - ending.size());
  return stem + "-" + curve_id + ".svg";
}

int say_why(const Error& error, int stopped_by) {
  if (stopped_by == 0) return fail_with(error);
  say("stopped; the run under way is thrown away, the board has its clock back");
  return 128 + stopped_by;
}

}  // namespace

SweepCommand::SweepCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command(
      "sweep", "sweep [OPTIONS] -- COMMAND…: runs a command once per GPU clock and writes its energy-frequency curve",
      "  sweetspot sweep --baseline --repeat 3 --model ./bert --seq-len 51 -- python train.py --epochs 1\n"
      "  sweetspot sweep --frequencies 408MHz,612MHz,816MHz --max-temp 60 -o bert.csv -- ./train.sh\n"
      "  sweetspot sweep --dry-run --run-time 20min -- ./train.sh     (the plan and how long it takes)\n"
      "The file is what `characterise`, `fit` and `evaluate` read. Each run is in it before the next begins: after "
      "Ctrl-C, a\n"
      "crash or a reboot the same command goes on where it was. What the command prints goes to FILE.log. Exit status: "
      "0\n"
      "every run is in the file, 1 some are missing, 128+n signal n stopped it, 2 usage, 3 no GPU.",
      [this] { return run(); });
  command.add_option("--frequencies", frequencies_, "Clocks, separated by commas, or all: every one up to the limit")
      ->delimiter(',')
      ->type_name("all|LIST");
  command.add_flag("--baseline", baseline_, "Also run without a pin, as the kernel's governor has it");
  command.add_option("--repeat", repeats_, "Runs per clock; 1 unless given")
      ->check(CLI::Range(std::size_t{1}, most_repeats))
      ->type_name("N");
  command.add_option("--cooldown", cooldown_, "Pause between two runs; 10s unless given")->type_name("TIME");
  command.add_option("--settle", settle_, "Pause between the pin and the command; 2s unless given")->type_name("TIME");
  command
      .add_option("--max-temp", max_celsius_, "Before each run, wait until the GPU is no hotter than so many degrees C")
      ->type_name("C");
  command
      .add_option("--retries", retries_,
                  "How often a run that does not count is tried again, after the others; 1 unless given")
      ->check(CLI::Range(std::size_t{0}, most_repeats))
      ->type_name("N");
  command.add_option("--seed", seed_, "Of the order of the runs; 1 unless given")->type_name("N");
  command.add_option("--run-time", run_time_, "How long one run takes at the highest clock, for --dry-run")
      ->type_name("TIME");
  command.add_flag("--dry-run", dry_run_, "Print the plan and the expected time; run nothing, write nothing");
  command.add_option("-o,--output", output_, "The file that is written or gone on with; sweep.csv unless given")
      ->type_name("FILE");
  command.add_flag("--append", append_, "Add this curve to a file that holds others");
  command.add_option("--source", source_, "The column source: where the figures come from")->type_name("TEXT");
  command
      .add_option("--sysfs-root", sysfs_root_,
                  "Folder that holds the board's sys/, for temperatures of boards elsewhere")
      ->type_name("DIR");
  add_spec_options(command, options_);
}

Result<SweepCommand::Pauses> SweepCommand::pauses() const {
  Pauses pauses;
  const auto settle = parse_duration(settle_);
  if (!settle) return failure("--settle: " + settle.error().message, EINVAL);
  const auto cooldown = parse_duration(cooldown_);
  if (!cooldown) return failure("--cooldown: " + cooldown.error().message, EINVAL);
  pauses.settle = *settle;
  pauses.cooldown = *cooldown;
  if (run_time_.empty()) return pauses;
  const auto time = parse_duration(run_time_);
  if (!time) return failure("--run-time: " + time.error().message, EINVAL);
  pauses.top_time_s = in_seconds(*time);
  return pauses;
}

int SweepCommand::run() {
  if (program_.wrapped.empty()) return usage_error("sweep: which command? It follows \"--\"", "sweep");
  if (options_.policy || options_.frequency)
    return usage_error("sweep: --policy and --freq are what a sweep varies; --frequencies names its clocks", "sweep");
  const auto job = job_spec(options_);
  if (!job) return fail_with_spec(job.error(), "sweep");
  const auto times = pauses();
  if (!times) return fail_with_spec(times.error(), "sweep");

  auto client = GovernorClient::connect(program_.socket_path());
  if (!client) return fail_with(client.error());
  const auto status = client->status();
  if (!status) return fail_with(status.error());
  if (!status->gpu.node || status->gpu.available.empty()) {
    say("sweetspotd sees no GPU clock; `sweetspot doctor` says why");
    return ExitCode::no_hardware;
  }
  const auto clocks = clocks_to_sweep(frequencies_, status->gpu);
  if (!clocks) return fail_with_spec(clocks.error(), "sweep");
  const Board board{.curve = curve_of(*job, *status, program_.wrapped, source_),
                    .plan = sweep_plan({*clocks, baseline_, repeats_, seed_}),
                    .pace = {.pause_s = in_seconds(times->settle) + in_seconds(times->cooldown),
                             .top_time_s = times->top_time_s,
                             .top = status->gpu.available.back()}};
  return dry_run_ ? show_plan(board) : sweep(board, *times);
}

int SweepCommand::show_plan(const Board& board) const {
  const auto text = text_if_there(output_);
  if (!text) return fail_with(text.error());
  auto before = swept_before(output_, *text, board.curve, append_);
  if (!before) return fail_with(before.error());
  const SweepState state(board.curve, board.plan, board.pace, std::move(*before));
  const SweepReport report = state.report(output_);
  const double pauses_s = board.pace.pause_s * static_cast<double>(report.missing.size());
  return print(program_.json ? sweep_json(report) + "\n" : plan_text(report, pauses_s, board.pace.top));
}

int SweepCommand::sweep(const Board& board, const Pauses& times) const {
  auto output = SweepOutput::open(output_);
  if (!output) return fail_with(output.error());
  auto before = swept_before(output_, output->text(), board.curve, append_);
  if (!before) return fail_with(before.error());
  if (!output->torn_end().empty()) {
    // Where not even the first line is whole, only the columns' names may have begun there.
    if (output->text().empty() && sweep_head(board.curve).rfind(output->torn_end(), 0) != 0)
      return fail_with({output_ + ": holds something else than a sweep; name another file with -o", EEXIST});
    if (const auto cut = output->cut_torn_end(); !cut) return fail_with(cut.error());
    say(output_ + ": cut off the last line, which was not written to its end");
  }
  const std::string log_path = output_ + ".log";
  const UniqueFd log(::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log) return fail_with({log_path + ": " + std::strerror(errno), errno});
  auto signals = SignalFeed::open({SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT});
  if (!signals) return fail_with(signals.error());

  SweepState state(board.curve, board.plan, board.pace, std::move(*before));
  SweepDisplay display(state);
  SweepPoint now;
  SweepRunner runner({.socket = program_.socket_path(),
                      .sysfs_root = sysfs_root_,
                      .command = program_.wrapped,
                      .output = log.value(),
                      .settle = times.settle,
                      .cooldown = times.cooldown,
                      .max_celsius = max_celsius_},
                     *signals, [&](const std::string& what) { display.show(now, what); });
  const auto done = run_sweep(state, runner, *output, display, now, retries_);
  const int why = done ? ExitCode::ok : say_why(done.error(), runner.stopped_by());
  const int shown = show_result(state);
  if (why != ExitCode::ok) return why;
  return shown;
}

int SweepCommand::show_result(const SweepState& state) const {
  SweepReport report = state.report(output_);
  const auto curve = curve_in(output_, report.curve_id);
  if (!curve) return fail_with(curve.error());
  if (*curve) {
    add_curve(**curve, report);
    const Chart chart = energy_chart(**curve);
    const std::string svg = svg_path(output_, report.curve_id);
    const auto drawn = replace_file(svg, chart_file(chart));
    if (!drawn) return fail_with(drawn.error());
    report.svg = svg;
    if (!program_.json) {
      const int printed = print(curve_table(**curve) + "\n" + chart_text(chart) + "\n" + printable(output_) + ", " +
                                printable(svg) + "\n");
      if (printed != ExitCode::ok) return printed;
    }
  }
  if (program_.json && print(sweep_json(report) + "\n") != ExitCode::ok) return ExitCode::failure;
  if (report.missing.empty()) return ExitCode::ok;
  say(missing_text(report));
  return ExitCode::failure;
}

}  // namespace sweetspot
