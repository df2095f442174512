// SPDX-License-Identifier: Apache-2.0
#include "service/handover_package.hpp"

#include <algorithm>
#include <set>

#include "service/descriptor_store.hpp"
#include "service/version.hpp"
#include "sweetspot/platform/sealed_memory.hpp"
#include "sweetspot/wire/varlink_framing.hpp"

namespace sweetspot {
namespace {

/// A manager that reads nothing for so long is not asked again; together with the other limits of a stop it stays well
/// below TimeoutStopSec=.
constexpr Duration manager_settles = std::chrono::seconds(4);
/// Replies that a client has not taken, beyond what its socket holds already. One that leaves more is not worth the
/// others' hand-over.
constexpr std::size_t most_unsent = longest_call_bytes;

std::string stored_state_name() {
  return std::string(stored_name_prefix) + "state";
}

/// What a holder costs beyond the connections counted already.
std::size_t places_for(const JobHolder& holder, std::set<ConnectionId>& counted) {
  const bool another = holder.connection && counted.insert(*holder.connection).second;
  return (another ? 1U : 0U) + (holder.process ? 1U : 0U);
}

}  // namespace

std::string stored_connection_name(std::uint64_t connection) {
  return std::string(stored_name_prefix) + "connection-" + std::to_string(connection);
}

std::string stored_process_name(JobId job) {
  return std::string(stored_name_prefix) + "process-" + std::to_string(job);
}

std::vector<JobId> jobs_without_place(const std::map<JobId, Job>& jobs, const JobHolders& holders, std::size_t places) {
  std::vector<JobId> without;
  std::set<ConnectionId> counted;
  std::size_t taken = 1;
  for (const auto& [id, job] : jobs) {
    if (job.ended_by) continue;
    const JobHolder* const holder = holders.of(id);
    taken += holder == nullptr ? 0 : places_for(*holder, counted);
    if (holder == nullptr || taken > places) without.push_back(id);
  }
  std::reverse(without.begin(), without.end());
  return without;
}

Result<HandoverPackage> pack_jobs(GovernorState state, const std::string& boot_id, const JobHolders& holders,
                                  const VarlinkServer& server) {
  Handover handover{.written_by = version_text, .boot_id = boot_id};
  HandoverPackage package;
  std::set<ConnectionId> packed;
  for (const Job& job : state.jobs) {
    const JobHolder* const holder = holders.of(job.id);
    if (holder == nullptr) return failure("nothing holds job " + std::to_string(job.id));
    HandedHolder handed{.job = job.id, .connection = holder->connection};
    if (holder->process) {
      handed.process = HandedProcess{holder->process->pid, holder->process->start_ticks, holder->process->comm};
      package.items.push_back({stored_process_name(job.id), holder->process->pidfd.value()});
    }
    handover.holders.push_back(std::move(handed));
    if (!holder->connection || !packed.insert(*holder->connection).second) continue;
    HandedConnection& connection = handover.connections.emplace_back();
    connection.id = *holder->connection;
    auto carried = server.carried(*holder->connection);
    // Gone in this very moment, or its client reads nothing: whoever unpacks misses its socket.
    if (!carried || carried->unsent.size() > most_unsent) continue;
    connection.start_ticks = carried->start_ticks;
    connection.received = std::move(carried->received);
    connection.unsent = std::move(carried->unsent);
    connection.peer_done_sending = carried->peer_done_sending;
    package.items.push_back({stored_connection_name(connection.id), carried->socket});
  }
  handover.governor = std::move(state);
  const std::string text = handover_text(handover);
  if (text.size() > longest_handover_bytes)
    return failure("the jobs' state has " + std::to_string(text.size()) + " bytes, too many to hand over");
  auto memory = make_sealed_memory("sweetspotd-handover", text);
  if (!memory) return failure(std::move(memory.error()));
  package.state = *std::move(memory);
  return package;
}

void forget_package(const HandoverPackage& package) {
  for (const HandoverPackage::Item& item : package.items) forget_descriptor(item.name);
  forget_descriptor(stored_state_name());
}

Result<void> store_package(const HandoverPackage& package) {
  const auto store = [&]() -> Result<void> {
    for (const HandoverPackage::Item& item : package.items) {
      if (auto stored = store_descriptor(item.name, item.fd); !stored) return stored;
    }
    if (auto stored = store_descriptor(stored_state_name(), package.state.value()); !stored) return stored;
    return await_service_manager(manager_settles);
  };
  auto stored = store();
  if (!stored) forget_package(package);
  return stored;
}

Result<std::optional<Handover>> stored_handover(const std::map<std::string, UniqueFd>& stored,
                                                const std::string& boot_id) {
  const auto state = stored.find(stored_state_name());
  if (state == stored.end()) return std::nullopt;
  const auto text = read_sealed_memory(state->second.value(), longest_handover_bytes);
  if (!text) return failure(Error(text.error()));
  auto handover = parse_handover(*text);
  if (!handover) return failure(std::move(handover.error()));
  if (handover->boot_id != boot_id) return failure("the hand-over is of another boot");
  return std::optional(*std::move(handover));
}

}  // namespace sweetspot
