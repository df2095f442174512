// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/report.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "apps/sweetspot/curve_input.hpp"
#include "apps/sweetspot/evaluate.hpp"
#include "apps/sweetspot/jobs.hpp"
#include "apps/sweetspot/known_modes.hpp"
#include "apps/sweetspot/tree_input.hpp"
#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/analysis/characterisation.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/store/history_reader.hpp"
#include "sweetspot/wire/date_text.hpp"
#include "sweetspot/wire/report_json.hpp"

namespace sweetspot {
namespace {

/// "2026-07-08 09:30 UTC".
std::string minute_now() {
  std::string text = to_rfc3339(std::chrono::system_clock::now()).substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text + " UTC";
}

/// Folders say more of the machine than of the data.
std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// "tree.json" is called "tree".
std::string stem_of(const std::string& path) {
  std::string name = file_name(path);
  constexpr std::string_view ending = ".json";
  const bool ends = name.size() > ending.size() && std::string_view(name).substr(name.size() - ending.size()) == ending;
  return ends ? name.substr(0, name.size() - ending.size()) : name;
}

}  // namespace

ReportCommand::ReportCommand(Program& program) : program_(program), state_dir_(default_state_dir()) {
  CLI::App& command = program.add_command(
      "report", "Makes one HTML page of curves, savings, trees, jobs and board; needs no service",
      "  sweetspot report curves.csv -o report.html\n"
      "  sweetspot report curves.csv --tree tree.json --policies none,mlg,oracle -o report.html\n"
      "The page fetches nothing, is light or dark as the browser is, and prints. The files are CSV, one run per row, "
      "as\n"
      "`docs/evaluate.md` describes them. An existing page is replaced in one piece. Board and rails come from the\n"
      "service where one answers.\n"
      "--json: {\"output\", \"bytes\", \"workloads\", \"workloads_drawn\", \"trees\", \"jobs\", \"service\"} of what "
      "was written.",
      [this] { return run(); });
  command.add_option("data", data_, "Files of measured energies, and perhaps times, against the clock")
      ->type_name("FILE.csv");
  command.add_option("-o,--output", output_, "Write the page to this file instead of printing it")->type_name("FILE");
  command
      .add_option("--policies", policies_,
                  "What to compare: none, ffg, mlg, adaptive, tree:FILE, fixed:HZ, oracle (the best clock measured), "
                  "max (the highest)")
      ->delimiter(',')
      ->type_name("LIST");
  command.add_option("--tree", trees_, "Draw the tree of this file, too, and compare its choices; may be repeated")
      ->type_name("FILE.json");
  command.add_option("--since", since_, "Only jobs that ended since: 2h or 7d ago, 2026-11-30, an RFC 3339 date")
      ->type_name("WHEN");
  command.add_option("--state-dir", state_dir_, "The service's state folder, which holds the history of jobs")
      ->type_name("DIR")
      ->capture_default_str();
}

Result<void> ReportCommand::read_curve_files(Report& report) const {
  for (const std::string& path : data_) {
    auto input = read_curves(path);
    if (!input) return failure(std::move(input.error()));
    report.files.push_back({file_name(path), data_hash(input->text), input->curves.size()});
    std::move(input->curves.begin(), input->curves.end(), std::back_inserter(report.curves));
  }
  return {};
}

Result<std::vector<Contender>> ReportCommand::policies() const {
  std::vector<Contender> contenders;
  for (const std::string& name : policies_) {
    auto contender = contender_named(name);
    if (!contender) return failure("--policies: " + contender.error().message);
    const auto same = [&name](const Contender& other) { return other.name == name; };
    if (std::any_of(contenders.begin(), contenders.end(), same))
      return failure("--policies: " + name + " stands there twice");
    contenders.push_back(std::move(*contender));
  }
  return contenders;
}

Result<void> ReportCommand::read_trees(Report& report, std::vector<Contender>& contenders) const {
  report.trees.push_back({"mlg",
                          {.tree = mlg_tree(),
                           .source = "the paper; built in",
                           .board = "agx-orin-64",
                           .rails = {"VDD_GPU_SOC", "VDD_CPU_CV"}}});
  for (const std::string& path : trees_) {
    auto file = read_tree_file(path);
    if (!file) return failure(std::move(file.error()));
    Contender contender{.name = "tree:" + stem_of(path), .policy = Policy::tree};
    contender.settings.tree = file->tree;
    report.trees.push_back({contender.name, std::move(*file)});
    // Before the yardsticks, which stand last.
    const auto yardstick = std::find_if(contenders.begin(), contenders.end(), [](const Contender& each) {
      return each.choice == Contender::Choice::oracle || each.choice == Contender::Choice::highest;
    });
    contenders.insert(yardstick, std::move(contender));
  }
  return {};
}

Result<HistoryFilter> ReportCommand::history_filter() const {
  HistoryFilter filter;
  if (since_.empty()) return filter;
  auto moment = moment_in(since_, std::chrono::system_clock::now());
  if (!moment) return failure(std::move(moment.error()).within("--since"));
  filter.since = *moment;
  return filter;
}

void ReportCommand::read_history(const HistoryFilter& filter, Report& report) const {
  const auto history = HistoryReader::open(state_dir_);
  if (!history) {
    report.no_jobs = history.error().code == ENOENT ? "No job has ended yet where this page was made."
                                                    : "The history could not be read where this page was made.";
    if (history.error().code != ENOENT) say("report: no history: " + history.error().message);
    return;
  }
  const auto visited = history->records(filter, [&report](const PastJob& job) {
    report.jobs.push_back(job.record);
    return true;
  });
  if (!visited) {
    report.jobs.clear();
    report.no_jobs = "The history could not be read where this page was made.";
    say("report: no history: " + visited.error().message);
  } else if (report.jobs.empty()) {
    report.no_jobs = "The history holds no job that fits.";
  }
}

void ReportCommand::ask_service(Report& report) const {
  auto client = GovernorClient::connect(program_.socket_path());
  auto status = client ? client->status() : failure(client.error());
  if (status)
    report.status = std::move(*status);
  else
    report.no_status = "No service answered when this page was made, so no board is described here.";
}

int ReportCommand::run() {
  if (program_.json && output_.empty())
    return usage_error("report: --json says what was written to a file; name it with -o", "report");
  Report report{.made = minute_now(), .program = "sweetspot " SWEETSPOT_VERSION};
  auto contenders = policies();
  if (!contenders) return usage_error(contenders.error().message, "report");
  const auto filter = history_filter();
  if (!filter) return usage_error(filter.error().message, "report");
  if (const auto read = read_trees(report, *contenders); !read) return fail_with(read.error());
  if (const auto read = read_curve_files(report); !read) return fail_with(read.error());
  const EvaluationSettings settings{.contenders = *contenders, .tables = tables_for(report.curves)};
  if (!report.curves.empty()) report.evaluation = evaluate(report.curves, settings);
  report.curves = on_known_tables(report.curves, settings.tables);
  for (const Curve& curve : report.curves)
    report.characterised.push_back(characterise(curve, capped_modes_of(curve.platform)));
  read_history(*filter, report);
  ask_service(report);
  return show(report);
}

int ReportCommand::show(const Report& report) const {
  const std::string page = report_page(report);
  if (output_.empty()) return print(page);
  if (const auto written = replace_file(output_, page); !written) return fail_with(written.error());
  const ReportWritten made{.output = output_,
                           .bytes = page.size(),
                           .workloads = report.curves.size(),
                           .workloads_drawn = std::min(report.curves.size(), most_workloads_drawn),
                           .trees = report.trees.size(),
                           .jobs = report.jobs.size(),
                           .service = report.status.has_value()};
  if (program_.json) return print(report_json(made) + "\n");
  return ExitCode::ok;
}

}  // namespace sweetspot
