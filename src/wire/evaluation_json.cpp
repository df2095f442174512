// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/evaluation_json.hpp"

#include "wire/field_writer.hpp"

namespace sweetspot {

void visit_fields(Either<EvaluatedCurve> auto& row, auto&& visit) {
  visit("curve_id", row.curve_id);
  visit("platform", row.platform);
  visit("policy", row.policy);
  visit("frequency_hz", row.frequency);
  visit("regret", row.regret);
  visit("saving_vs_maxn", row.saving_vs_maxn);
  visit("saving_vs_max", row.saving_vs_max);
  visit("slowdown", row.slowdown);
  visit("probe_share", row.probe_share);
  visit("fallback", row.fallback);
  visit("too_slow", row.too_slow);
  visit("reason", row.reason);
}

void visit_fields(Either<PolicySummary> auto& summary, auto&& visit) {
  visit("policy", summary.policy);
  visit("curves", summary.curves);
  visit("regret_mean", summary.regret_mean);
  visit("regret_p95", summary.regret_p95);
  visit("regret_worst", summary.regret_worst);
  visit("saving_vs_maxn_mean", summary.saving_vs_maxn_mean);
  visit("saving_vs_max_mean", summary.saving_vs_max_mean);
  visit("slowdown_mean", summary.slowdown_mean);
  visit("probe_share_mean", summary.probe_share_mean);
  visit("too_slow", summary.too_slow);
  visit("fallbacks", summary.fallbacks);
}

void visit_fields(Either<PlatformSummary> auto& platform, auto&& visit) {
  visit("platform", platform.platform);
  visit("summary", platform.summary);
}

void visit_fields(Either<SecondStageOnCurve> auto& row, auto&& visit) {
  visit("curve_id", row.curve_id);
  visit("load_percent", row.load_percent);
  visit("moves", row.moves);
  visit("frequency_without_hz", row.frequency_without);
  visit("frequency_with_hz", row.frequency_with);
  visit("regret_without", row.regret_without);
  visit("regret_with", row.regret_with);
  visit("reason", row.reason);
}

void visit_fields(Either<Evaluation> auto& evaluation, auto&& visit) {
  visit("curves", evaluation.curves);
  visit("summary", evaluation.summary);
  visit("platforms", evaluation.platforms);
  visit("second_stage", evaluation.second_stage);
}

std::string evaluation_json(const Evaluation& evaluation) {
  JsonWriter out;
  write(out, evaluation);
  return out.take();
}

}  // namespace sweetspot
