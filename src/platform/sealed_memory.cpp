// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/sealed_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/errno_text.hpp"

namespace sweetspot {
namespace {

constexpr int unchangeable = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

}  // namespace

Result<UniqueFd> make_sealed_memory(const char* name, std::string_view text) {
  UniqueFd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return errno_failure("make a file in memory", errno);
  while (!text.empty()) {
    const ssize_t size = ::write(fd.value(), text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return errno_failure("write to a file in memory", size < 0 ? errno : EIO);
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fcntl(fd.value(), F_ADD_SEALS, unchangeable) != 0) return errno_failure("seal a file in memory", errno);
  return fd;
}

Result<std::string> read_sealed_memory(int fd, std::size_t limit) {
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0) return errno_failure("not a file in memory", errno);
  if ((seals & unchangeable) != unchangeable) return failure("a file in memory that is not sealed", EINVAL);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return errno_failure("look at a file in memory", errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit)
    return failure("a file in memory of " + std::to_string(size) + " bytes; expected at most " + std::to_string(limit),
                   EFBIG);
  std::string text(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::pread(fd, text.data() + got, size - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return errno_failure("read a file in memory", n < 0 ? errno : EIO);
    got += static_cast<std::size_t>(n);
  }
  return text;
}

}  // namespace sweetspot
