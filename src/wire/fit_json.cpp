// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/fit_json.hpp"

#include "wire/field_writer.hpp"

namespace sweetspot {

void visit_fields(Either<FittedWorkload> auto& workload, auto&& visit) {
  visit("curve_id", workload.curve_id);
  visit("best_hz", workload.best);
  visit("answer_hz", workload.answer);
  visit("held_out_hz", workload.held_out);
  visit("regret", workload.regret);
  visit("regret_held_out", workload.regret_held_out);
}

void visit_fields(Either<CurveLeftOut> auto& curve, auto&& visit) {
  visit("curve_id", curve.curve_id);
  visit("reason", curve.reason);
}

void visit_fields(Either<FitFigures> auto& figures, auto&& visit) {
  visit("accuracy", figures.accuracy);
  visit("regret_mean", figures.regret_mean);
  visit("regret_worst", figures.regret_worst);
}

void visit_fields(Either<FitReport> auto& report, auto&& visit) {
  visit("objective", report.objective);
  visit("rows", report.rows);
  visit("left_out", report.left_out);
  visit("features", report.features);
  visit("criterion", report.criterion);
  visit("depth", report.depth);
  visit("leaf_rows", report.leaf_rows);
  visit("pruned", report.pruned);
  visit("folds", report.folds);
  visit("held_out", report.held_out);
  visit("fitted", report.fitted);
  visit("one_clock", report.one_clock);
  visit("one_clock_hz", report.one_clock_is);
  visit("classes_hz", report.classes);
  visit("confusion", report.confusion);
  visit("workloads", report.workloads);
}

std::string fit_json(const FitReport& report) {
  JsonWriter out;
  write(out, report);
  return out.take();
}

}  // namespace sweetspot
