// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/sweep_json.hpp"

#include "wire/field_writer.hpp"

namespace sweetspot {

void visit_fields(Either<SweptPoint> auto& point, auto&& visit) {
  visit("frequency_hz", point.clock);
  visit("runs", point.runs);
  visit("energy_j", point.energy_j);
  visit("energy_deviation_j", point.energy_deviation_j);
  visit("time_s", point.time_s);
}

void visit_fields(Either<MissingRun> auto& run, auto&& visit) {
  visit("frequency_hz", run.clock);
  visit("repeat", run.repeat);
  visit("reason", run.reason);
}

void visit_fields(Either<SweepReport> auto& report, auto&& visit) {
  visit("curve_id", report.curve_id);
  visit("output", report.output);
  visit("svg", report.svg);
  visit("runs", report.runs);
  visit("complete", report.complete);
  visit("missing", report.missing);
  visit("expected_s", report.expected_s);
  visit("best_hz", report.best);
  visit("points", report.points);
}

std::string sweep_json(const SweepReport& report) {
  JsonWriter out;
  write(out, report);
  return out.take();
}

}  // namespace sweetspot
