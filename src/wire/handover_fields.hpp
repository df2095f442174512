// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/wire/handover_text.hpp"
#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"
#include "wire/fields.hpp"

// The hand-over as it stands in JSON. Structs that a field can be read into one by one are visited as they are; the
// others have an entry here. Instants are whole nanoseconds of CLOCK_MONOTONIC, since nothing may shift by rounding.

namespace sweetspot {

/// From the boot to 146 years after it: what adding a lease or a window to it cannot overflow.
inline constexpr std::int64_t latest_instant_ns = std::int64_t{1} << 62U;

inline void write(JsonWriter& out, Instant value) {
  out.integer(value.time_since_epoch().count());
}
[[nodiscard]] inline FieldProblem read(const Json& json, const Place& at, UnknownKeys, Instant& out) {
  std::int64_t value = 0;
  auto problem = read_signed(json, at, 0, latest_instant_ns, value);
  if (!problem) out = Instant(Duration(value));
  return problem;
}

void visit_fields(Either<MeterReading::Channel> auto& channel, auto&& visit) {
  visit("integral", channel.integral);
  visit("covered_s", channel.covered);
}
void visit_fields(Either<MeterReading> auto& reading, auto&& visit) {
  visit("at_ns", reading.at);
  visit("rails", reading.rails);
  visit("gpu_load", reading.gpu_load);
  visit("samples", reading.samples);
}
void visit_fields(Either<PausedMeter::Gap> auto& gap, auto&& visit) {
  visit("begin_ns", gap.begin);
  visit("end_ns", gap.end);
}
void visit_fields(Either<PausedMeter::Rail> auto& rail, auto&& visit) {
  visit("last_at_ns", rail.last_at);
  visit("gaps", rail.gaps);
}
void visit_fields(Either<PausedMeter> auto& meter, auto&& visit) {
  visit("total", meter.total);
  visit("rails", meter.rails);
}

struct BoardEntry {
  std::optional<std::vector<Hertz>> table;
  std::optional<Hertz> cap;
  std::optional<std::string> board;
  std::optional<std::string> power_mode;
  std::vector<std::string> rails;
  bool has_gpu_load = false;
};
void visit_fields(Either<BoardEntry> auto& board, auto&& visit) {
  visit("available_hz", board.table);
  visit("cap_hz", board.cap);
  visit("board", board.board);
  visit("power_mode", board.power_mode);
  visit("rails", board.rails);
  visit("has_gpu_load", board.has_gpu_load);
}

struct ClockEntry {
  std::string condition;
  std::optional<Hertz> goal;
  std::optional<Hertz> applied;
  std::optional<Hertz> current;
  std::string detail;
};
void visit_fields(Either<ClockEntry> auto& clock, auto&& visit) {
  visit("condition", clock.condition);
  visit("goal_hz", clock.goal);
  visit("applied_hz", clock.applied);
  visit("current_hz", clock.current);
  visit("detail", clock.detail);
}

void visit_fields(Either<SecondStage> auto& stage, auto&& visit) {
  visit("enabled", stage.enabled);
  visit("load_limit_percent", stage.load_limit_percent);
  visit("clock_hz", stage.clock);
  visit("settle_s", stage.settle);
  visit("window_s", stage.window);
}

/// Jobs of one configuration share one: a tree can be large.
struct PolicyEntry {
  std::string policy;
  Hertz ffg;
  SecondStage second_stage;
  std::optional<std::string> tree;  ///< text of a tree file
};
void visit_fields(Either<PolicyEntry> auto& entry, auto&& visit) {
  visit("policy", entry.policy);
  visit("ffg_hz", entry.ffg);
  visit("second_stage", entry.second_stage);
  visit("tree", entry.tree);
}

struct WindowEntry {
  std::string phase;
  Instant boundary{};
  bool sample_due = false;
  std::optional<MeterReading> begin;
  std::optional<double> mean_percent;
};
void visit_fields(Either<WindowEntry> auto& window, auto&& visit) {
  visit("phase", window.phase);
  visit("boundary_ns", window.boundary);
  visit("sample_due", window.sample_due);
  visit("begin", window.begin);
  visit("mean_percent", window.mean_percent);
}

struct HeldClockEntry {
  Hertz clock;
  Duration held{0};
};
void visit_fields(Either<HeldClockEntry> auto& entry, auto&& visit) {
  visit("clock_hz", entry.clock);
  visit("held_s", entry.held);
}

struct JobEntry {
  JobId id = 0;
  JobSpec spec;
  Owner owner;
  Decision decision;
  std::uint32_t policy = 0;  ///< index into the list of policies
  std::string objective;
  std::optional<std::vector<std::string>> rails_wanted;
  Instant started{};
  std::chrono::system_clock::time_point wall_time;
  std::optional<Instant> lease_ends;
  std::optional<std::int64_t> steps;
  std::optional<MeterReading> first;
  std::vector<double> shares;
  std::int64_t companions = 0;
  std::vector<HeldClockEntry> time_at;
  WindowEntry load_window;
};
void visit_fields(Either<JobEntry> auto& job, auto&& visit) {
  visit("id", job.id);
  visit("spec", job.spec);
  visit("owner", job.owner);
  visit("decision", job.decision);
  visit("policy", job.policy);
  visit("objective", job.objective);
  visit("rails_wanted", job.rails_wanted);
  visit("started_ns", job.started);
  visit("wall_time", job.wall_time);
  visit("lease_ends_ns", job.lease_ends);
  visit("steps", job.steps);
  visit("first", job.first);
  visit("shares_j", job.shares);
  visit("companions", job.companions);
  visit("time_at", job.time_at);
  visit("load_window", job.load_window);
}

/// Bytes of a connection are anything, so they stand in hexadecimal.
struct ConnectionEntry {
  std::uint64_t id = 0;
  std::uint64_t start_ticks = 0;
  std::string received;
  std::string unsent;
  bool peer_done_sending = false;
};
void visit_fields(Either<ConnectionEntry> auto& connection, auto&& visit) {
  visit("id", connection.id);
  visit("start_ticks", connection.start_ticks);
  visit("received_hex", connection.received);
  visit("unsent_hex", connection.unsent);
  visit("peer_done_sending", connection.peer_done_sending);
}

void visit_fields(Either<HandedProcess> auto& process, auto&& visit) {
  visit("pid", process.pid);
  visit("start_ticks", process.start_ticks);
  visit("comm", process.comm);
}
void visit_fields(Either<HandedHolder> auto& holder, auto&& visit) {
  visit("job", holder.job);
  visit("connection", holder.connection);
  visit("process", holder.process);
}

/// What every format has, so that an unreadable one can at least be named.
struct HandoverHead {
  std::string format;
  std::int64_t version = 0;
  std::string written_by;
};
void visit_fields(Either<HandoverHead> auto& head, auto&& visit) {
  visit("format", head.format);
  visit("version", head.version);
  visit("written_by", head.written_by);
}

struct HandoverBody {
  std::string boot_id;
  JobId next_id = 1;
  BoardEntry board;
  ClockEntry clock;
  Instant clock_accounted_at{};
  std::optional<PausedMeter> meter;
  std::optional<MeterReading> shared_up_to;
  std::vector<PolicyEntry> policies;
  std::vector<JobEntry> jobs;
  std::vector<ConnectionEntry> connections;
  std::vector<HandedHolder> holders;
};
void visit_fields(Either<HandoverBody> auto& body, auto&& visit) {
  visit("boot_id", body.boot_id);
  visit("next_id", body.next_id);
  visit("board", body.board);
  visit("clock", body.clock);
  visit("clock_accounted_at_ns", body.clock_accounted_at);
  visit("meter", body.meter);
  visit("shared_up_to", body.shared_up_to);
  visit("policies", body.policies);
  visit("jobs", body.jobs);
  visit("connections", body.connections);
  visit("holders", body.holders);
}

}  // namespace sweetspot
