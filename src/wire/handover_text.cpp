// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/handover_text.hpp"

#include <algorithm>

#include "sweetspot/wire/tree_file.hpp"
#include "wire/handover_fields.hpp"
#include "wire/handover_names.hpp"
#include "wire/hex_text.hpp"

namespace sweetspot {
namespace {

BoardEntry entry_of(const BoardFacts& facts) {
  BoardEntry entry;
  if (facts.clocks) {
    const auto clocks = facts.clocks->table.clocks();
    entry.table.emplace(clocks.begin(), clocks.end());
    entry.cap = facts.clocks->cap;
  }
  entry.board = facts.board;
  entry.power_mode = facts.power_mode;
  entry.rails = facts.rails;
  entry.has_gpu_load = facts.has_gpu_load;
  return entry;
}

ClockEntry entry_of(const ClockStatus& clock) {
  return {std::string(name_of(clock.condition)), clock.goal, clock.applied, clock.current, clock.detail};
}

PolicyEntry entry_of(const PolicySettings& settings) {
  PolicyEntry entry{std::string(name_of(settings.policy)), settings.ffg_clock, settings.second_stage, {}};
  if (settings.tree) entry.tree = tree_file_text({*settings.tree, {}});
  return entry;
}

JobEntry entry_of(const Job& job, std::uint32_t policy) {
  JobEntry entry;
  entry.id = job.id;
  entry.spec = job.spec;
  entry.owner = job.owner;
  entry.decision = job.decision;
  entry.policy = policy;
  entry.objective = name_of(job.rails_wanted.objective);
  entry.rails_wanted = job.rails_wanted.labels;
  entry.started = job.started;
  entry.wall_time = job.wall_time;
  entry.lease_ends = job.lease_ends;
  entry.steps = job.steps;
  entry.first = job.first;
  entry.shares = job.shares;
  entry.companions = job.companions;
  for (const auto& [clock, held] : job.time_at) entry.time_at.push_back({clock, held});
  const LoadWindow& window = job.load_window;
  entry.load_window = {std::string(name_of(window.phase)), window.boundary, window.sample_due, window.begin,
                       window.mean_percent};
  return entry;
}

ConnectionEntry entry_of(const HandedConnection& connection) {
  return {connection.id, connection.start_ticks, to_hex(connection.received), to_hex(connection.unsent),
          connection.peer_done_sending};
}

HandoverBody body_of(const Handover& handover) {
  const GovernorState& governor = handover.governor;
  HandoverBody body;
  body.boot_id = handover.boot_id;
  body.next_id = governor.next_id;
  body.board = entry_of(governor.board);
  body.clock = entry_of(governor.clock);
  body.clock_accounted_at = governor.clock_accounted_at;
  body.meter = governor.meter;
  body.shared_up_to = governor.shared_up_to;
  std::vector<PolicySettings> policies;
  for (const Job& job : governor.jobs) {
    const auto known = std::find(policies.begin(), policies.end(), job.policy);
    body.jobs.push_back(entry_of(job, static_cast<std::uint32_t>(known - policies.begin())));
    if (known != policies.end()) continue;
    policies.push_back(job.policy);
    body.policies.push_back(entry_of(job.policy));
  }
  for (const HandedConnection& connection : handover.connections) body.connections.push_back(entry_of(connection));
  body.holders = handover.holders;
  return body;
}

}  // namespace

std::string handover_text(const Handover& handover) {
  const HandoverHead head{std::string(handover_format), handover_version, handover.written_by};
  const HandoverBody body = body_of(handover);
  JsonWriter out;
  out.begin_object();
  visit_fields(head, FieldWriter{out});
  visit_fields(body, FieldWriter{out});
  out.end_object();
  return out.take();
}

}  // namespace sweetspot
