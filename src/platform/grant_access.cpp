// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/grant_access.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "platform/errno_text.hpp"

namespace sweetspot {
namespace {

Result<gid_t> find_group(const std::string& name) {
  std::vector<char> buffer(16 * 1024);
  group entry{};
  group* found = nullptr;
  const int code = ::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (code != 0) return errno_failure("look up the group \"" + name + "\"", code);
  if (found == nullptr) return failure("there is no group \"" + name + "\"; systemd-sysusers makes it", ENOENT);
  return entry.gr_gid;
}

Result<void> hand_over(const std::string& path, gid_t group) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) return errno_failure("open " + path, errno);
  struct stat status {};
  if (::fstat(fd.value(), &status) != 0) return errno_failure("stat " + path, errno);
  if (::fchown(fd.value(), static_cast<uid_t>(-1), group) != 0) return errno_failure("chgrp " + path, errno);
  if (::fchmod(fd.value(), (status.st_mode & 07777) | S_IWGRP) != 0) return errno_failure("chmod g+w " + path, errno);
  return {};
}

}  // namespace

Result<void> grant_access(const FileAttributes& board, const std::string& devfreq_dir, const std::string& group) {
  const auto id = find_group(group);
  if (!id) return tl::unexpected(id.error());
  for (const char* file : {"/min_freq", "/max_freq"}) {
    if (auto done = hand_over(board.root() + devfreq_dir + file, *id); !done) return done;
  }
  return {};
}

}  // namespace sweetspot
