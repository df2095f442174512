// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/characterisation_json.hpp"

#include "wire/field_writer.hpp"

namespace sweetspot {

void visit_fields(Either<CharacterisedPoint> auto& point, auto&& visit) {
  visit("frequency_hz", point.frequency);
  visit("runs", point.runs);
  visit("energy_j", point.energy_j);
  visit("energy_deviation_j", point.energy_deviation_j);
  visit("time_s", point.time_s);
  visit("time_deviation_s", point.time_deviation_s);
  visit("power_w", point.power_w);
  visit("power_deviation_w", point.power_deviation_w);
}

void visit_fields(Either<FitResiduals> auto& residuals, auto&& visit) {
  visit("rms", residuals.rms);
  visit("worst", residuals.worst);
}

void visit_fields(Either<EnergyFit> auto& fit, auto&& visit) {
  visit("a", fit.a);
  visit("b", fit.b);
  visit("c", fit.c);
  visit("residuals", fit.residuals);
}

void visit_fields(Either<TimeFit> auto& fit, auto&& visit) {
  visit("floor_s", fit.floor_s);
  visit("work_s_ghz", fit.work_s_ghz);
  visit("residuals", fit.residuals);
}

void visit_fields(Either<WasteOfMode> auto& waste, auto&& visit) {
  visit("mode", waste.mode);
  visit("frequency_hz", waste.frequency);
  visit("waste", waste.waste);
}

void visit_fields(Either<CharacterisedCurve> auto& curve, auto&& visit) {
  visit("curve_id", curve.curve_id);
  visit("platform", curve.platform);
  visit("workload", curve.workload);
  visit("energy_scope", curve.energy_scope);
  visit("points", curve.points);
  visit("shape", curve.shape);
  visit("best_hz", curve.best);
  visit("energy_fit", curve.energy_fit);
  visit("time_fit", curve.time_fit);
  visit("optimum_hz", curve.optimum);
  visit("optimum_low_hz", curve.optimum_low);
  visit("optimum_high_hz", curve.optimum_high);
  visit("slowdown_at_best", curve.slowdown_at_best);
  visit("wastes", curve.wastes);
}

std::string characterisation_json(const std::vector<CharacterisedCurve>& curves) {
  JsonWriter out;
  out.begin_object();
  FieldWriter{out}("curves", curves);
  out.end_object();
  return out.take();
}

}  // namespace sweetspot
