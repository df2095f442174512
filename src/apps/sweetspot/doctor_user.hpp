// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

/// A group as the group database has it now.
struct GroupFacts {
  std::string name;
  gid_t gid = 0;
  std::vector<std::string> members;
};

/// Who runs the program, with the groups this login session got.
struct UserFacts {
  std::string name;
  uid_t uid = 0;
  std::vector<gid_t> groups;
};

[[nodiscard]] UserFacts this_user();
[[nodiscard]] std::optional<GroupFacts> group_called(const std::string& name);

/// A group counts from the next login on: being in the database is not enough.
enum class Membership { none, since_login, in_session };
[[nodiscard]] Membership membership(const UserFacts& user, const GroupFacts& group);

/// Whether the user may talk to the service. `users`: the group of its socket, where it exists.
[[nodiscard]] Finding users_group_finding(const UserFacts& user, const std::optional<GroupFacts>& users);

/// Where journald keeps its files, and who reads them.
struct JournalFacts {
  bool running = false;
  bool persistent = false;          ///< kept over a reboot
  bool readable = false;            ///< system.journal, by this user
  std::vector<GroupFacts> readers;  ///< the groups that may, as far as they exist
};
[[nodiscard]] JournalFacts look_at_journal();
[[nodiscard]] Finding journal_finding(const UserFacts& user, const JournalFacts& journal);

}  // namespace sweetspot
