// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/jobs.hpp"

#include <cerrno>
#include <cstdlib>

#include "apps/sweetspot/jobs_export.hpp"
#include "apps/sweetspot/jobs_text.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/wire/date_text.hpp"

namespace sweetspot {
namespace {

constexpr std::uint64_t shown_unasked = 20;

/// What a reader can do about it.
Error explained(Error error, const std::string& state_dir) {
  const std::string path = history_path(state_dir);
  if (error.code == ENOENT)
    return {"there is no history yet: no " + path + "; the service writes it when its first job has ended", ENOENT};
  if (error.code == EACCES)
    error.message += "; root and members of group sweetspot-users may read the service's history";
  return error;
}

/// Writes one job after the other, until standard output takes no more.
int write_all(const HistoryReader& history, const HistoryFilter& filter, JobsWriter& writer) {
  int status = print(writer.head());
  const auto visited = history.records(filter, [&](const PastJob& job) {
    status = status == ExitCode::ok ? write_out(writer.row(job)) : status;
    return status == ExitCode::ok;
  });
  if (!visited) return fail_with(visited.error());
  return status == ExitCode::ok ? print(writer.tail()) : status;
}

}  // namespace

std::string default_state_dir() {
  const char* folder = std::getenv("STATE_DIRECTORY");
  return folder != nullptr && *folder != '\0' ? folder : "/var/lib/sweetspotd";
}

Result<std::chrono::system_clock::time_point> moment_in(const std::string& text,
                                                        std::chrono::system_clock::time_point now) {
  if (const auto ago = parse_duration(text))
    return now - std::chrono::duration_cast<std::chrono::system_clock::duration>(*ago);
  if (const auto day = parse_rfc3339(text + "T00:00:00Z")) return *day;
  if (const auto moment = parse_rfc3339(text)) return *moment;
  return failure("expected how long ago (90min, 2h, 7d), a day (2026-11-30) or a date with time and zone, not \"" +
                 printable(text) + "\"");
}

JobsCommand::JobsCommand(Program& program) : program_(program), state_dir_(default_state_dir()) {
  CLI::App& command = program.add_command(
      "jobs", "Shows what finished jobs cost, the newest last; needs no service",
      "  sweetspot jobs\n"
      "  sweetspot jobs 12                       (job no. 12 in full)\n"
      "  sweetspot jobs --since 7d --policy mlg\n"
      "  sweetspot jobs --export csv >jobs.csv   (sweetspot characterise reads it)\n"
      "--json, --export json: {\"jobs\": [{\"number\", \"record\": EnergyRecord, \"spec\": JobSpec}, …]}",
      [this] { return run(); });
  command.add_option("number", number_, "Show this job in full: its number in the history")->type_name("NUMBER");
  command.add_option("--last", last_, "Only the newest N; text shows 20 unless asked for others")->type_name("N");
  command.add_option("--since", since_, "Only those that ended since: 2h or 7d ago, 2026-11-30, an RFC 3339 date")
      ->type_name("WHEN");
  command.add_option("--policy", policy_, "Only those whose clock this policy chose")->type_name("NAME");
  command.add_option("--name", name_, "Only those of this name")->type_name("TEXT");
  command.add_option("--export", export_, "Print all that is kept, for other programs: csv or json")
      ->type_name("FORMAT");
  command.add_option("--state-dir", state_dir_, "The service's state folder, which holds history.db")
      ->type_name("DIR")
      ->capture_default_str();
}

int JobsCommand::run() {
  const auto wanted = filter();
  if (!wanted) return usage_error(wanted.error().message, "jobs");
  if (!export_.empty() && export_ != "csv" && export_ != "json")
    return usage_error("--export: expected csv or json, not \"" + printable(export_) + "\"", "jobs");
  const auto history = HistoryReader::open(state_dir_);
  if (!history) return fail_with(explained(history.error(), state_dir_));
  if (export_ == "csv") {
    CsvJobs writer;
    return write_all(*history, *wanted, writer);
  }
  if (program_.json || export_ == "json") {
    JsonJobs writer;
    return write_all(*history, *wanted, writer);
  }
  return number_ ? show_one(*history) : show_table(*history, *wanted);
}

Result<HistoryFilter> JobsCommand::filter() const {
  HistoryFilter filter{.number = number_, .last = last_};
  if (!policy_.empty()) filter.policy = policy_;
  if (!name_.empty()) filter.name = name_;
  if (!since_.empty()) {
    auto moment = moment_in(since_, std::chrono::system_clock::now());
    if (!moment) return failure(std::move(moment.error()).within("--since"));
    filter.since = *moment;
  }
  return filter;
}

int JobsCommand::show_table(const HistoryReader& history, HistoryFilter filter) const {
  const bool asked = filter.last || filter.since || filter.policy || filter.name;
  if (!asked) filter.last = shown_unasked;
  const auto baselines = Baselines::in(history);
  if (!baselines) return fail_with(baselines.error());
  JobsTable table(*baselines);
  const auto visited = history.records(filter, [&](const PastJob& job) {
    table.add(job);
    return true;
  });
  if (!visited) return fail_with(visited.error());
  if (table.empty()) {
    say("no finished job is kept that fits");
    return ExitCode::ok;
  }
  return print(table.text());
}

int JobsCommand::show_one(const HistoryReader& history) const {
  std::string text;
  const auto visited = history.records({.number = number_}, [&](const PastJob& job) {
    text = job_text(job);
    return true;
  });
  if (!visited) return fail_with(visited.error());
  if (text.empty()) return fail_with({"no job no. " + std::to_string(*number_) + " is kept", ENOENT});
  return print(text);
}

}  // namespace sweetspot
