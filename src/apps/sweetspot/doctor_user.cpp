// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_user.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;

std::string join_command(const std::string& group) {
  return "sudo usermod -aG " + group + " $USER, then log in again";
}

bool has_system_journal(const FileAttributes& system, const std::string& folder) {
  const auto machines = system.list(folder);
  if (!machines) return false;
  return std::any_of(machines->begin(), machines->end(), [&](const std::string& machine) {
    return system.exists(folder + "/" + machine + "/system.journal");
  });
}

bool may_read_system_journal(const FileAttributes& system, const std::string& folder) {
  for (const std::string& machine : system.list(folder).value_or(std::vector<std::string>{})) {
    if (::access((folder + "/" + machine + "/system.journal").c_str(), R_OK) == 0) return true;
  }
  return false;
}

}  // namespace

UserFacts this_user() {
  UserFacts user;
  user.uid = ::geteuid();
  const passwd* entry = ::getpwuid(user.uid);
  user.name = entry != nullptr ? std::string(entry->pw_name) : std::to_string(user.uid);
  const int count = ::getgroups(0, nullptr);
  user.groups.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (::getgroups(count, user.groups.data()) != count) user.groups.clear();
  user.groups.push_back(::getegid());
  return user;
}

std::optional<GroupFacts> group_called(const std::string& name) {
  const group* entry = ::getgrnam(name.c_str());
  if (entry == nullptr) return std::nullopt;
  GroupFacts found{.name = name, .gid = entry->gr_gid, .members = {}};
  for (char** member = entry->gr_mem; *member != nullptr; ++member) found.members.emplace_back(*member);
  return found;
}

Membership membership(const UserFacts& user, const GroupFacts& group) {
  if (std::find(user.groups.begin(), user.groups.end(), group.gid) != user.groups.end()) return Membership::in_session;
  const auto& members = group.members;
  return std::find(members.begin(), members.end(), user.name) == members.end() ? Membership::none
                                                                               : Membership::since_login;
}

Finding users_group_finding(const UserFacts& user, const std::optional<GroupFacts>& users) {
  if (user.uid == 0) return {Verdict::ok, "group", "root needs none", ""};
  if (!users)
    return {Verdict::warn, "group", "there is no group sweetspot-users",
            "sudo systemd-sysusers, or install the package"};
  switch (membership(user, *users)) {
    case Membership::in_session:
      return {Verdict::ok, "group", "this user is in " + users->name, ""};
    case Membership::since_login:
      return {Verdict::warn, "group", "this user joined " + users->name + " after this session began", "log in again"};
    case Membership::none:
      break;
  }
  return {Verdict::warn, "group", "this user is not in " + users->name, join_command(users->name)};
}

JournalFacts look_at_journal() {
  const FileAttributes system;
  JournalFacts facts;
  facts.running = system.exists("/run/systemd/journal/socket");
  facts.persistent = has_system_journal(system, "/var/log/journal");
  facts.readable =
      may_read_system_journal(system, "/var/log/journal") || may_read_system_journal(system, "/run/log/journal");
  for (const char* name : {"systemd-journal", "adm"}) {
    if (auto group = group_called(name)) facts.readers.push_back(std::move(*group));
  }
  return facts;
}

Finding journal_finding(const UserFacts& user, const JournalFacts& journal) {
  const std::string check = "journal";
  if (!journal.running)
    return {Verdict::skip, check, "no journald runs here; the service writes to its standard error", ""};
  if (!journal.readable) {
    const bool joined = std::any_of(journal.readers.begin(), journal.readers.end(), [&](const GroupFacts& group) {
      return membership(user, group) == Membership::since_login;
    });
    if (joined)
      return {Verdict::warn, check, "this user joined a group that reads the journal after this session began",
              "log in again"};
    const std::string group = journal.readers.empty() ? "systemd-journal" : journal.readers.front().name;
    return {Verdict::warn, check, "this user may not read the service's entries (records of jobs)",
            join_command(group) + "; or sudo journalctl -t sweetspotd"};
  }
  if (!journal.persistent)
    return {Verdict::warn, check, "readable, but kept in memory only: records of jobs are gone after a reboot",
            "sudo mkdir -p /var/log/journal && sudo systemctl restart systemd-journald"};
  return {Verdict::ok, check, "readable, and kept over a reboot", ""};
}

}  // namespace sweetspot
