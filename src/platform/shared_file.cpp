// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/shared_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include "platform/errno_text.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {
namespace {

constexpr mode_t file_mode = 0640;
/// Who may open the lock may hold it, and with it everybody who writes.
constexpr mode_t lock_mode = 0600;

Result<UniqueFd> locked(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, lock_mode));
  if (!fd) return errno_failure("open " + path, errno);
  while (::flock(fd.value(), LOCK_EX) != 0)
    if (errno != EINTR) return errno_failure("lock " + path, errno);
  return fd;
}

Result<void> write_whole(const std::string& path, std::string_view rest) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, file_mode));
  if (!fd) return errno_failure("open " + path, errno);
  while (!rest.empty()) {
    const ssize_t size = ::write(fd.value(), rest.data(), rest.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return errno_failure("write " + path, size < 0 ? errno : EIO);
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fsync(fd.value()) != 0) return errno_failure("sync " + path, errno);
  if (::close(fd.release()) != 0) return errno_failure("close " + path, errno);
  return {};
}

}  // namespace

Result<std::optional<std::string>> SharedFile::read() const {
  // A pipe in its place must not hold anybody up.
  const UniqueFd fd(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd && errno == ENOENT) return std::nullopt;
  if (!fd) return errno_failure("open " + path_, errno);
  std::string text;
  std::array<char, 16 * 1024> buffer{};
  while (true) {
    const ssize_t size = ::read(fd.value(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno_failure("read " + path_, errno);
    if (size == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
    if (text.size() > most_bytes_)
      return failure(path_ + ": longer than " + std::to_string(most_bytes_) + " bytes", EFBIG);
  }
}

Result<void> SharedFile::change(const Change& change) const {
  const auto lock = locked(path_ + ".lock");
  if (!lock) return failure(Error(lock.error()));
  const auto before = read();
  if (!before) return failure(Error(before.error()));
  const auto after = change(*before);
  if (!after) return failure(Error(after.error()));
  const std::string draft = path_ + ".new";
  if (auto written = write_whole(draft, *after); !written) return written;
  if (::rename(draft.c_str(), path_.c_str()) != 0) return errno_failure("rename " + draft, errno);
  return {};
}

}  // namespace sweetspot
