// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_daemon.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/client/human_text.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* users_group = "sweetspot-users";

std::vector<gid_t> groups_of_session() {
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (::getgroups(count, groups.data()) != count) groups.clear();
  groups.push_back(::getegid());
  return groups;
}

bool lists(const group& members, const std::string& user) {
  for (char** name = members.gr_mem; *name != nullptr; ++name) {
    if (user == *name) return true;
  }
  return false;
}

Finding group_finding() {
  if (::geteuid() == 0) return {Verdict::ok, "group", "root needs none", ""};
  const std::string join = "sudo usermod -aG sweetspot-users $USER, then log in again";
  const group* users = ::getgrnam(users_group);
  if (users == nullptr)
    return {Verdict::warn, "group", "there is no group sweetspot-users",
            "sudo systemd-sysusers, or install the package"};
  const auto groups = groups_of_session();
  if (std::find(groups.begin(), groups.end(), users->gr_gid) != groups.end())
    return {Verdict::ok, "group", "this user is in sweetspot-users", ""};
  const bool since_login = [&] {
    const passwd* user = ::getpwuid(::getuid());
    return user != nullptr && lists(*users, user->pw_name);
  }();
  if (since_login)
    return {Verdict::warn, "group", "this user joined sweetspot-users after this session began", "log in again"};
  return {Verdict::warn, "group", "this user is not in sweetspot-users", join};
}

Finding unreachable(const Error& error) {
  const bool not_running = error.code == ENOENT || error.code == ECONNREFUSED;
  return {not_running ? Verdict::warn : Verdict::fail, "service", error.message,
          not_running ? "sudo systemctl enable --now sweetspotd.socket" : ""};
}

std::vector<Finding> health_findings(const StatusReport& status) {
  std::vector<Finding> findings;
  for (const StatusReport::Trouble& trouble : status.health)
    findings.push_back({Verdict::warn, "service: " + printable(trouble.reason),
                        trouble.detail + " (for " + duration_text(trouble.since) + ")", ""});
  if (findings.empty()) findings.push_back({Verdict::ok, "service health", "well", ""});
  return findings;
}

}  // namespace

DaemonFindings daemon_findings(const std::string& socket_path) {
  DaemonFindings out;
  out.findings.push_back(group_finding());
  auto client = GovernorClient::connect(socket_path);
  if (!client) {
    out.findings.push_back(unreachable(client.error()));
    return out;
  }
  auto status = client->status();
  if (!status) {
    out.findings.push_back({Verdict::fail, "service", socket_path + ": " + status.error().message,
                            "see `systemctl status sweetspotd` and `journalctl -u sweetspotd`"});
    return out;
  }
  out.findings.push_back({Verdict::ok, "service",
                          "sweetspotd " + status->version + " answers, " + std::to_string(status->jobs.size()) +
                              " jobs, clock " + status->clock.condition,
                          ""});
  for (Finding& finding : health_findings(*status)) out.findings.push_back(std::move(finding));
  out.status = std::move(*status);
  return out;
}

}  // namespace sweetspot
