// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "service/job_holders.hpp"
#include "service/varlink_server.hpp"
#include "sweetspot/core/governor_state.hpp"
#include "sweetspot/platform/unique_fd.hpp"
#include "sweetspot/wire/handover_text.hpp"

namespace sweetspot {

/// What a daemon that is being restarted leaves: the state as text in a memory file, and the descriptors that hold its
/// jobs, each under its name in the service manager's store.
struct HandoverPackage {
  struct Item {
    std::string name;
    int fd = -1;  ///< borrowed
  };
  std::vector<Item> items;  ///< without the state
  UniqueFd state;
};

/// The running jobs that find no place among so many descriptors, the latest first. One place is the state's own.
[[nodiscard]] std::vector<JobId> jobs_without_place(const std::map<JobId, Job>& jobs, const JobHolders& holders,
                                                    std::size_t places);

/// Packs the jobs of `state` with what holds them. A job whose connection is gone is packed without it and has ended
/// for whoever unpacks. The borrowed descriptors are holders' and server's.
[[nodiscard]] Result<HandoverPackage> pack_jobs(GovernorState state, const std::string& boot_id,
                                                const JobHolders& holders, const VarlinkServer& server);

/// Gives the package to the service manager, the state last: without it the rest is nothing. After an error the manager
/// keeps none of it.
[[nodiscard]] Result<void> store_package(const HandoverPackage& package);

void forget_package(const HandoverPackage& package);

/// The state that lies among the stored descriptors; empty when there is none. An error says in words why the jobs of
/// the daemon before cannot be gone on with.
[[nodiscard]] Result<std::optional<Handover>> stored_handover(const std::map<std::string, UniqueFd>& stored,
                                                              const std::string& boot_id);

[[nodiscard]] std::string stored_connection_name(std::uint64_t connection);
[[nodiscard]] std::string stored_process_name(JobId job);

}  // namespace sweetspot
