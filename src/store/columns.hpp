// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "store/database.hpp"
#include "sweetspot/store/past_job.hpp"

// Which member of a past job is which column of `jobs`, once for writing and reading, and how a member of each type
// stands there.

namespace sweetspot {

template <class T>
concept EitherJob = std::same_as<std::remove_const_t<T>, PastJob>;

/// visit(column, member) for each, in one order.
void visit_columns(EitherJob auto& job, auto&& visit) {
  auto& record = job.record;
  visit("job_id", record.job_id);
  visit("name", record.name);
  visit("policy", record.decision.policy);
  visit("frequency_hz", record.decision.frequency);
  visit("reason", record.decision.reason);
  visit("clamped_from_hz", record.decision.clamped_from);
  visit("fallback", record.decision.fallback);
  visit("applied_hz", record.applied);
  visit("share_at_clock", record.share_at_clock);
  visit("started_ns", record.started);
  visit("duration_ns", record.duration);
  visit("steps", record.steps);
  visit("energy_j", record.energy);
  visit("mean_power_w", record.mean_power);
  visit("samples", record.samples);
  visit("coverage", record.coverage);
  visit("longest_gap_ns", record.longest_gap);
  visit("energy_valid", record.energy_valid);
  visit("gpu_load_mean", record.gpu_load_mean);
  visit("shared_with", record.shared_with);
  visit("share_j", record.share);
  visit("power_mode", record.power_mode);
  visit("board", record.board);
  visit("ended_by", record.ended_by);
  visit("uid", record.owner.uid);
  visit("pid", record.owner.pid);
  visit("comm", record.owner.comm);
  auto& spec = job.spec;
  visit("model_type", spec.model_type);
  visit("layers", spec.layers);
  visit("hidden_size", spec.hidden_size);
  visit("mean_sequence_length", spec.mean_sequence_length);
  visit("batch_size", spec.batch_size);
  visit("total_steps", spec.total_steps);
  visit("asked_policy", spec.policy);
  visit("asked_frequency_hz", spec.frequency);
  visit("objective", spec.objective);
  visit("max_slowdown", spec.max_slowdown);
  visit("finish_within_s", spec.finish_within_s);
  visit("energy_delay", spec.energy_delay);
  visit("asked_pid", spec.pid);
  visit("lease_s", spec.lease_s);
}

/// Binds members to parameters, from `next` on.
struct ColumnBinder {
  Statement& out;
  int next = 1;

  void operator()(const char*, const auto& member) { bind(next++, member); }

  void bind(int at, std::integral auto value) { out.bind_integer(at, static_cast<std::int64_t>(value)); }
  void bind(int at, double value) { out.bind_real(at, value); }
  void bind(int at, const std::string& value) { out.bind_text(at, value); }
  void bind(int at, Hertz value) { bind(at, value.value); }
  void bind(int at, Watts value) { bind(at, value.value); }
  void bind(int at, Joules value) { bind(at, value.value); }
  void bind(int at, Duration value) { out.bind_integer(at, value.count()); }
  void bind(int at, std::chrono::system_clock::time_point value) {
    bind(at, std::chrono::duration_cast<Duration>(value.time_since_epoch()));
  }
  void bind(int at, EndedBy value) { out.bind_text(at, name_of(value)); }
  template <class T>
  void bind(int at, const std::optional<T>& value) {
    if (value) {
      bind(at, *value);
    } else {
      out.bind_null(at);
    }
  }
};

/// Reads members from columns, from `next` on.
struct ColumnReader {
  const Statement& in;
  int next = 0;

  void operator()(const char*, auto& member) { read(next++, member); }

  void read(int at, std::integral auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(in.integer(at));
  }
  void read(int at, bool& value) { value = in.integer(at) != 0; }
  void read(int at, double& value) { value = in.real(at); }
  void read(int at, std::string& value) { value = in.text(at); }
  void read(int at, Hertz& value) { read(at, value.value); }
  void read(int at, Watts& value) { read(at, value.value); }
  void read(int at, Joules& value) { read(at, value.value); }
  void read(int at, Duration& value) { value = Duration(in.integer(at)); }
  void read(int at, std::chrono::system_clock::time_point& value) {
    value = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(Duration(in.integer(at))));
  }
  void read(int at, EndedBy& value) {
    const std::string name = in.text(at);
    for (const EndedBy each : {EndedBy::client, EndedBy::lost, EndedBy::expired, EndedBy::interrupted}) {
      if (name == name_of(each)) value = each;
    }
  }
  template <class T>
  void read(int at, std::optional<T>& value) {
    value.reset();
    if (!in.is_null(at)) read(at, value.emplace());
  }
};

}  // namespace sweetspot
