// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/replies.hpp"
#include "sweetspot/wire/status_report.hpp"
#include "sweetspot/wire/watch_event.hpp"

// Which member of a struct is which field of a JSON object, once for writing and reading: visit(name, member) for each,
// in the order of the interface file. Fields that a later version adds must be optional: older daemons do not send
// them.

namespace sweetspot {

/// T or const T.
template <class T, class Struct>
concept Either = std::same_as<std::remove_const_t<T>, Struct>;

/// Visits without doing anything.
struct NoVisit {
  void operator()(const char*, const auto&) const {}
};
/// A struct that is a JSON object: it has a visit_fields(), perhaps declared later than this.
template <class T>
concept HasFields = requires(T& object, NoVisit visit) {
  visit_fields(object, visit);
};

void visit_fields(Either<JobSpec> auto& spec, auto&& visit) {
  visit("name", spec.name);
  visit("model_type", spec.model_type);
  visit("layers", spec.layers);
  visit("hidden_size", spec.hidden_size);
  visit("mean_sequence_length", spec.mean_sequence_length);
  visit("batch_size", spec.batch_size);
  visit("total_steps", spec.total_steps);
  visit("policy", spec.policy);
  visit("frequency_hz", spec.frequency);
  visit("objective", spec.objective);
  visit("rails", spec.rails);
  visit("max_slowdown", spec.max_slowdown);
  visit("finish_within_s", spec.finish_within_s);
  visit("energy_delay", spec.energy_delay);
  visit("pid", spec.pid);
  visit("lease_s", spec.lease_s);
  visit("tags", spec.tags);
}

void visit_fields(Either<Decision> auto& decision, auto&& visit) {
  visit("policy", decision.policy);
  visit("frequency_hz", decision.frequency);
  visit("reason", decision.reason);
  visit("path", decision.path);
  visit("clamped_from_hz", decision.clamped_from);
  visit("fallback", decision.fallback);
}

void visit_fields(Either<MeasuredClock> auto& one, auto&& visit) {
  visit("clock_hz", one.clock);
  visit("joules_per_step", one.joules_per_step);
  visit("seconds_per_step", one.seconds_per_step);
  visit("uncertainty", one.uncertainty);
  visit("steps", one.steps);
}

void visit_fields(Either<RailEnergy> auto& rail, auto&& visit) {
  visit("name", rail.name);
  visit("energy_j", rail.energy);
  visit("mean_power_w", rail.mean_power);
}

void visit_fields(Either<Owner> auto& owner, auto&& visit) {
  visit("uid", owner.uid);
  visit("pid", owner.pid);
  visit("comm", owner.comm);
}

void visit_fields(Either<EnergyRecord> auto& record, auto&& visit) {
  visit("job_id", record.job_id);
  visit("name", record.name);
  visit("decision", record.decision);
  visit("applied_hz", record.applied);
  visit("share_at_clock", record.share_at_clock);
  visit("started", record.started);
  visit("duration_s", record.duration);
  visit("steps", record.steps);
  visit("rails", record.rails);
  visit("energy_j", record.energy);
  visit("rails_counted", record.rails_counted);
  visit("rails_left_out", record.rails_left_out);
  visit("mean_power_w", record.mean_power);
  visit("samples", record.samples);
  visit("coverage", record.coverage);
  visit("longest_gap_s", record.longest_gap);
  visit("energy_valid", record.energy_valid);
  visit("gpu_load_mean", record.gpu_load_mean);
  visit("shared_with", record.shared_with);
  visit("share_j", record.share);
  visit("power_mode", record.power_mode);
  visit("board", record.board);
  visit("ended_by", record.ended_by);
  visit_fields(record.owner, visit);
}

void visit_fields(Either<GetInfo> auto&, auto&&) {}
void visit_fields(Either<GetStatus> auto&, auto&&) {}
void visit_fields(Either<GetInterfaceDescription> auto& call, auto&& visit) {
  visit("interface", call.interface);
}
void visit_fields(Either<StartJob> auto& call, auto&& visit) {
  visit("spec", call.spec);
}
void visit_fields(Either<Explain> auto& call, auto&& visit) {
  visit("spec", call.spec);
}
void visit_fields(Either<EndJob> auto& call, auto&& visit) {
  visit("job_id", call.job_id);
}
void visit_fields(Either<ReportProgress> auto& call, auto&& visit) {
  visit("job_id", call.job_id);
  visit("steps", call.steps);
}
void visit_fields(Either<Watch> auto& call, auto&& visit) {
  visit("period_ms", call.period_ms);
}

void visit_fields(Either<StartReply> auto& reply, auto&& visit) {
  visit("job_id", reply.job_id);
  visit("decision", reply.decision);
  visit("applied_hz", reply.applied);
  visit("state", reply.state);
}

void visit_fields(Either<NoSuchJob> auto& error, auto&& visit) {
  visit("job_id", error.job_id);
}
void visit_fields(Either<NotYourJob> auto& error, auto&& visit) {
  visit("job_id", error.job_id);
}
void visit_fields(Either<TooManyJobs> auto& error, auto&& visit) {
  visit("limit", error.limit);
  visit("whose", error.whose);
}
void visit_fields(Either<InvalidSpec> auto& error, auto&& visit) {
  visit("field", error.field);
  visit("expected", error.expected);
}
void visit_fields(Either<ClockUnavailable> auto& error, auto&& visit) {
  visit("reason", error.reason);
}
void visit_fields(Either<Busy> auto& error, auto&& visit) {
  visit("reason", error.reason);
}
void visit_fields(Either<InvalidParameter> auto& error, auto&& visit) {
  visit("parameter", error.parameter);
  visit("expected", error.expected);
}
void visit_fields(Either<InterfaceNotFound> auto& error, auto&& visit) {
  visit("interface", error.interface);
}
void visit_fields(Either<MethodNotFound> auto& error, auto&& visit) {
  visit("method", error.method);
}
void visit_fields(Either<MethodNotImplemented> auto& error, auto&& visit) {
  visit("method", error.method);
}
void visit_fields(Either<ExpectedMore> auto&, auto&&) {}

void visit_fields(Either<WatchSample::Rail> auto& rail, auto&& visit) {
  visit("name", rail.name);
  visit("power_w", rail.power);
}
void visit_fields(Either<WatchSample> auto& sample, auto&& visit) {
  visit("rails", sample.rails);
  visit("gpu_load_percent", sample.gpu_load_percent);
  visit("clock_hz", sample.clock);
}

}  // namespace sweetspot
