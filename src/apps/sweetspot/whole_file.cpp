// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {
namespace {

tl::unexpected<Error> refused(const std::string& path) {
  return failure(path + ": " + std::strerror(errno), errno);
}

}  // namespace

bool write_all(int fd, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(fd, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  return true;
}

Result<std::string> whole_file(const std::string& path, std::size_t limit) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return refused(path);
  std::string text;
  std::array<char, 64 * 1024> buffer;
  while (true) {
    const ssize_t count = ::read(fd.value(), buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count < 0 && errno != EINTR) return refused(path);
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > limit) return failure(path + ": longer than " + std::to_string(limit) + " bytes", EFBIG);
  }
}

bool is_folder(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

Result<void> create_file(const std::string& path, const std::string& text) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd) return refused(path);
  // close() too: a full disk may show only there.
  if (write_all(fd.value(), text) && ::fsync(fd.value()) == 0 && ::close(fd.release()) == 0) return {};
  auto error = refused(path);
  ::unlink(path.c_str());
  return error;
}

Result<void> replace_file(const std::string& path, const std::string& text) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    return failure(path + ": no regular file, and nothing else is replaced; print to it instead: `> " + path + "`",
                   EEXIST);
  // Beside the target, as rename needs; node_exporter reads only names that end in .prom.
  const std::string draft = path + "." + std::to_string(::getpid()) + ".tmp";
  const UniqueFd fd(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return refused(draft);
  const bool done = write_all(fd.value(), text) && ::fchmod(fd.value(), 0644) == 0 && ::fsync(fd.value()) == 0 &&
                    std::rename(draft.c_str(), path.c_str()) == 0;
  if (done) return {};
  auto error = refused(path);
  ::unlink(draft.c_str());
  return error;
}

}  // namespace sweetspot
