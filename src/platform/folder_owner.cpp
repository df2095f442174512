// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/folder_owner.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/errno_text.hpp"

namespace sweetspot {

Result<void> become_owner_of(const std::string& folder) {
  struct stat status {};
  if (::geteuid() != 0 || ::stat(folder.c_str(), &status) != 0 || status.st_uid == 0) return {};
  const uid_t user = status.st_uid;
  const passwd* entry = ::getpwuid(user);
  const gid_t group = entry != nullptr ? entry->pw_gid : status.st_gid;
  const int grouped = entry != nullptr ? ::initgroups(entry->pw_name, group) : ::setgroups(0, nullptr);
  if (grouped != 0 || ::setresgid(group, group, group) != 0 || ::setresuid(user, user, user) != 0)
    return errno_failure("go on as uid " + std::to_string(user) + ", who owns " + folder, errno);
  return {};
}

}  // namespace sweetspot
