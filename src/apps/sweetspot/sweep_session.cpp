// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/sweep_session.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/client/human_text.hpp"

namespace sweetspot {
namespace {

constexpr const char* erase_line = "\r\x1b[K";

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string run_text(const SweepRow& row) {
  if (!row.valid) return to_text(row.point) + ": does not count: " + printable(row.reason);
  return to_text(row.point) + ": " + energy_text({row.energy_j.value_or(0)}) + " in " +
         duration_text(seconds(row.time_s.value_or(0)));
}

}  // namespace

SweepState::SweepState(SweepCurve curve, std::vector<SweepPoint> plan, SweepPace pace, SweptBefore before)
    : curve_(std::move(curve)), plan_(std::move(plan)), pace_(pace), rows_(std::move(before.rows)) {
  curve_.energy_scope = std::move(before.energy_scope);
}

std::optional<double> SweepState::left_seconds() const {
  std::vector<TimedRun> done;
  for (const SweepRow& row : rows_) {
    if (row.valid) done.push_back({.point = row.point, .seconds = *row.time_s});
  }
  return expected_seconds(left(), done, pace_);
}

void SweepState::add(const SweepRow& row) {
  if (row.valid && curve_.energy_scope.empty()) curve_.energy_scope = row.energy_scope;
  rows_.push_back(row);
}

SweepReport SweepState::report(const std::string& output) const {
  const auto missing = left();
  SweepReport report{.curve_id = curve_.id, .output = output, .runs = plan_.size()};
  report.complete = plan_.size() - missing.size();
  for (const SweepPoint& point : missing) {
    const auto last =
        std::find_if(rows_.rbegin(), rows_.rend(), [&](const SweepRow& row) { return row.point == point; });
    MissingRun run{.clock = point.clock, .repeat = point.repeat};
    if (last != rows_.rend()) run.reason = last->reason;
    report.missing.push_back(std::move(run));
  }
  if (!missing.empty()) report.expected_s = left_seconds();
  return report;
}

SweepDisplay::SweepDisplay(const SweepState& state) : state_(state), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void SweepDisplay::show(const SweepPoint& point, const std::string& what) {
  if (on_terminal_) {
    const SweepReport report = state_.report({});
    const SweepProgress progress{report.complete, report.runs, report.expected_s, to_text(point) + ": " + what};
    std::fprintf(stderr, "%s%s", erase_line, progress_line(progress, terminal_columns()).c_str());
    std::fflush(stderr);
    return;
  }
  // Without a terminal only what somebody may wonder about: why nothing happens.
  const std::string waiting = what.find("waiting") == std::string::npos ? std::string() : to_text(point);
  if (!waiting.empty() && waiting != last_waiting_) say(to_text(point) + ": " + what);
  last_waiting_ = waiting;
}

void SweepDisplay::add(const SweepRow& row) {
  clear();
  const SweepReport report = state_.report({});
  std::string line = std::to_string(report.complete) + "/" + std::to_string(report.runs) + "  " + run_text(row);
  if (report.expected_s) line += "; about " + duration_text(seconds(*report.expected_s)) + " left";
  say(line);
}

void SweepDisplay::clear() const {
  if (on_terminal_) std::fputs(erase_line, stderr);
}

Result<void> run_sweep(SweepState& state, SweepRunner& runner, SweepOutput& output, SweepDisplay& display,
                       SweepPoint& now, std::size_t retries) {
  const auto left = state.left();
  std::deque<SweepPoint> queue(left.begin(), left.end());
  std::map<SweepPoint, std::size_t> tries;
  bool with_head = output.text().empty();
  while (!queue.empty()) {
    now = queue.front();
    queue.pop_front();
    const auto row = runner.run(state.curve(), now);
    display.clear();
    if (!row) return failure(row.error());
    state.add(*row);
    const std::string line = sweep_line(state.curve(), *row);
    auto written = output.append(with_head ? sweep_head(state.curve()) + line : line);
    if (!written) return written;
    with_head = false;
    display.add(*row);
    if (!row->valid && tries[now]++ < retries) queue.push_back(now);
  }
  return {};
}

}  // namespace sweetspot
