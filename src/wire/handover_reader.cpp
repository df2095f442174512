// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "sweetspot/wire/handover_text.hpp"
#include "sweetspot/wire/tree_file.hpp"
#include "wire/handover_fields.hpp"
#include "wire/handover_names.hpp"
#include "wire/hex_text.hpp"

namespace sweetspot {
namespace {

template <class Named, std::size_t Count>
std::optional<Named> named(const std::array<Named, Count>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [name](Named one) { return name_of(one) == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<ClockCondition> condition_named(std::string_view name) {
  using C = ClockCondition;
  return named(std::array{C::released, C::pending, C::pinned, C::capped, C::not_obeyed, C::lost, C::waiting, C::failing,
                          C::gave_up, C::blocked, C::no_gpu},
               name);
}

std::optional<LoadWindow::Phase> phase_named(std::string_view name) {
  using P = LoadWindow::Phase;
  return named(std::array{P::off, P::waiting_for_pin, P::settling, P::measuring, P::decided}, name);
}

/// Makes the governor's structs of the entries. The first problem ends it.
class HandoverBuilder {
 public:
  explicit HandoverBuilder(HandoverBody body) : body_(std::move(body)) {}

  Result<Handover> build() {
    FieldProblem problem = read_board();
    if (!problem) problem = read_clock();
    if (!problem) problem = read_policies();
    for (std::size_t i = 0; !problem && i < body_.jobs.size(); ++i) problem = read_job(i);
    for (std::size_t i = 0; !problem && i < body_.connections.size(); ++i) problem = read_connection(i);
    if (!problem) problem = check_holders();
    if (problem) return failure(to_error(*std::move(problem)));
    GovernorState& governor = made_.governor;
    governor.next_id = body_.next_id;
    governor.clock_accounted_at = body_.clock_accounted_at;
    governor.meter = std::move(body_.meter);
    governor.shared_up_to = std::move(body_.shared_up_to);
    if (auto contradiction = contradiction_in(governor)) return failure(*std::move(contradiction));
    made_.boot_id = std::move(body_.boot_id);
    made_.holders = std::move(body_.holders);
    return std::move(made_);
  }

 private:
  FieldProblem read_board() {
    BoardEntry& entry = body_.board;
    BoardFacts& board = made_.governor.board;
    if (entry.table.has_value() != entry.cap.has_value())
      return JsonProblem{"board", "expected both available_hz and cap_hz, or neither"};
    if (entry.table) {
      auto table = FrequencyTable::from(*std::move(entry.table));
      if (!table) return JsonProblem{"board.available_hz", table.error().message};
      board.clocks = BoardClocks{*std::move(table), *entry.cap};
    }
    board.board = std::move(entry.board);
    board.power_mode = std::move(entry.power_mode);
    board.rails = std::move(entry.rails);
    board.has_gpu_load = entry.has_gpu_load;
    return std::nullopt;
  }

  FieldProblem read_clock() {
    ClockEntry& entry = body_.clock;
    const auto condition = condition_named(entry.condition);
    if (!condition) return JsonProblem{"clock.condition", "expected a condition, not " + clipped(entry.condition)};
    made_.governor.clock = {.condition = *condition,
                            .goal = entry.goal,
                            .applied = entry.applied,
                            .current = entry.current,
                            .detail = std::move(entry.detail),
                            .held_until = std::nullopt};
    return std::nullopt;
  }

  FieldProblem read_policies() {
    for (std::size_t i = 0; i < body_.policies.size(); ++i) {
      const PolicyEntry& entry = body_.policies[i];
      const auto policy = policy_named(entry.policy);
      if (!policy) return JsonProblem{place_of("policies", i, "policy"), "expected " + std::string(policy_names())};
      PolicySettings& settings = policies_.emplace_back();
      settings.policy = *policy;
      settings.ffg_clock = entry.ffg;
      settings.second_stage = entry.second_stage;
      if (!entry.tree) continue;
      auto tree = parse_tree_file(*entry.tree);
      if (!tree) return JsonProblem{place_of("policies", i, "tree"), tree.error().message};
      settings.tree = std::move(tree->tree);
    }
    return std::nullopt;
  }

  FieldProblem read_job(std::size_t index) {
    JobEntry& entry = body_.jobs[index];
    if (entry.policy >= policies_.size())
      return JsonProblem{place_of("jobs", index, "policy"), "expected the index of one of the policies"};
    const auto objective = objective_named(entry.objective);
    if (!objective) return JsonProblem{place_of("jobs", index, "objective"), "expected an objective"};
    const auto phase = phase_named(entry.load_window.phase);
    if (!phase) return JsonProblem{place_of("jobs", index, "load_window.phase"), "expected a phase"};
    Job& job = made_.governor.jobs.emplace_back();
    job.id = entry.id;
    job.spec = std::move(entry.spec);
    job.owner = std::move(entry.owner);
    job.decision = std::move(entry.decision);
    job.policy = policies_[entry.policy];
    job.rails_wanted = {*objective, std::move(entry.rails_wanted)};
    job.started = entry.started;
    job.wall_time = entry.wall_time;
    job.lease_ends = entry.lease_ends;
    job.steps = entry.steps;
    job.first = std::move(entry.first);
    job.shares = std::move(entry.shares);
    job.companions = entry.companions;
    for (const HeldClockEntry& held : entry.time_at) {
      if (!job.time_at.emplace(held.clock, held.held).second)
        return JsonProblem{place_of("jobs", index, "time_at"), "a clock stands there twice"};
    }
    job.load_window = {.phase = *phase,
                       .boundary = entry.load_window.boundary,
                       .sample_due = entry.load_window.sample_due,
                       .begin = std::move(entry.load_window.begin),
                       .mean_percent = entry.load_window.mean_percent};
    return std::nullopt;
  }

  FieldProblem read_connection(std::size_t index) {
    const ConnectionEntry& entry = body_.connections[index];
    auto received = from_hex(entry.received);
    if (!received) return JsonProblem{place_of("connections", index, "received_hex"), "expected pairs of digits"};
    auto unsent = from_hex(entry.unsent);
    if (!unsent) return JsonProblem{place_of("connections", index, "unsent_hex"), "expected pairs of digits"};
    if (!connections_.insert(entry.id).second)
      return JsonProblem{place_of("connections", index, "id"), "stands here twice"};
    made_.connections.push_back(
        {entry.id, entry.start_ticks, *std::move(received), *std::move(unsent), entry.peer_done_sending});
    return std::nullopt;
  }

  FieldProblem check_holders() {
    std::set<JobId> jobs;
    for (const Job& job : made_.governor.jobs) jobs.insert(job.id);
    for (std::size_t i = 0; i < body_.holders.size(); ++i) {
      const HandedHolder& holder = body_.holders[i];
      if (jobs.erase(holder.job) == 0) return JsonProblem{place_of("holders", i, "job"), "expected a job, once"};
      if (!holder.connection && !holder.process)
        return JsonProblem{place_of("holders", i, "connection"), "expected a connection or a process"};
      if (holder.connection && connections_.count(*holder.connection) == 0)
        return JsonProblem{place_of("holders", i, "connection"), "expected the id of a connection"};
      if (holder.process && holder.process->pid <= 0)
        return JsonProblem{place_of("holders", i, "process.pid"), "expected a pid"};
    }
    if (!jobs.empty()) return JsonProblem{"holders", "job " + std::to_string(*jobs.begin()) + " has none"};
    return std::nullopt;
  }

  HandoverBody body_;
  Handover made_;
  std::vector<PolicySettings> policies_;
  std::set<std::uint64_t> connections_;
};

}  // namespace

Result<Handover> parse_handover(std::string_view text) {
  if (text.size() > longest_handover_bytes) return failure("larger than a hand-over can be");
  const auto json = read_clean_json(text);
  if (!json) return failure(Error(json.error()));
  HandoverHead head;
  if (auto problem = read(*json, Place{}, UnknownKeys::ignored, head)) return failure(to_error(*std::move(problem)));
  if (head.format != handover_format) return failure("not a hand-over: the format is '" + clipped(head.format) + "'");
  if (head.version != handover_version)
    return failure("the daemon before (" + clipped(head.written_by) + ") wrote version " +
                   std::to_string(head.version) + " of the hand-over, this one reads version " +
                   std::to_string(handover_version));
  HandoverBody body;
  if (auto problem = read(*json, Place{}, UnknownKeys::ignored, body)) return failure(to_error(*std::move(problem)));
  auto handover = HandoverBuilder(std::move(body)).build();
  if (handover) handover->written_by = std::move(head.written_by);
  return handover;
}

}  // namespace sweetspot
