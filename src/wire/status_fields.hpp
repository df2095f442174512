// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "wire/fields.hpp"

namespace sweetspot {

void visit_fields(Either<StatusReport::Board> auto& board, auto&& visit) {
  visit("model", board.model);
  visit("soc", board.soc);
  visit("l4t", board.l4t);
  visit("jetpack", board.jetpack);
}

void visit_fields(Either<StatusReport::Gpu> auto& gpu, auto&& visit) {
  visit("node", gpu.node);
  visit("available_hz", gpu.available);
  visit("min_hz", gpu.min);
  visit("max_hz", gpu.max);
  visit("governor", gpu.governor);
  visit("cur_hz", gpu.cur);
}

void visit_fields(Either<StatusReport::Clock> auto& clock, auto&& visit) {
  visit("condition", clock.condition);
  visit("goal_hz", clock.goal);
  visit("applied_hz", clock.applied);
  visit("current_hz", clock.current);
  visit("detail", clock.detail);
}

void visit_fields(Either<StatusReport::Settings> auto& settings, auto&& visit) {
  visit("policy", settings.policy);
  visit("ffg_hz", settings.ffg);
  visit("arbitration", settings.arbitration);
  visit("objective", settings.objective);
  visit("second_stage", settings.second_stage);
  visit("pin_style", settings.pin_style);
  visit("tree", settings.tree);
}

void visit_fields(Either<StatusReport::Job> auto& job, auto&& visit) {
  visit("job_id", job.job_id);
  visit("name", job.name);
  visit("state", job.state);
  visit("decision", job.decision);
  visit_fields(job.owner, visit);
  visit("started", job.started);
  visit("duration_s", job.duration);
  visit("steps", job.steps);
  visit("energy_j", job.energy);
  visit("mean_power_w", job.mean_power);
  visit("coverage", job.coverage);
  visit("shared_with", job.shared_with);
  visit("lease_left_s", job.lease_left);
  visit("measured", job.measured);
}

void visit_fields(Either<StatusReport::Rail> auto& rail, auto&& visit) {
  visit("name", rail.name);
  visit("power_w", rail.power);
  visit("energy_j", rail.energy);
  visit("counted", rail.counted);
}

void visit_fields(Either<StatusReport::RailLeftOut> auto& rail, auto&& visit) {
  visit("name", rail.name);
  visit("reason", rail.reason);
}

void visit_fields(Either<StatusReport::Sampler> auto& sampler, auto&& visit) {
  visit("running", sampler.running);
  visit("period_ms", sampler.period_ms);
  visit("samples", sampler.samples);
}

void visit_fields(Either<StatusReport::Trouble> auto& trouble, auto&& visit) {
  visit("reason", trouble.reason);
  visit("detail", trouble.detail);
  visit("since_s", trouble.since);
}

void visit_fields(Either<StatusReport> auto& report, auto&& visit) {
  visit("version", report.version);
  visit("pid", report.pid);
  visit("uptime_s", report.uptime);
  visit("board", report.board);
  visit("power_mode", report.power_mode);
  visit("gpu", report.gpu);
  visit("clock", report.clock);
  visit("settings", report.settings);
  visit("jobs", report.jobs);
  visit("rails", report.rails);
  visit("rails_left_out", report.rails_left_out);
  visit("gpu_load_percent", report.gpu_load_percent);
  visit("sampler", report.sampler);
  visit("health", report.health);
  visit("connections", report.connections);
  visit("watchers", report.watchers);
  visit("oneway_errors", report.oneway_errors);
}

}  // namespace sweetspot
