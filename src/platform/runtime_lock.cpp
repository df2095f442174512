// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/runtime_lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <thread>

#include "platform/errno_text.hpp"
#include "platform/runtime_folder.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

/// A child that the last holder was just starting holds its lock until it runs another program.
constexpr Duration handed_on = std::chrono::milliseconds(500);
constexpr Duration between_tries = std::chrono::milliseconds(5);

/// The pid the holder wrote; a race with its writing only costs the name in a message.
std::optional<pid_t> holder_of(int fd) {
  std::array<char, 32> buffer{};
  const ssize_t size = ::pread(fd, buffer.data(), buffer.size(), 0);
  if (size <= 0) return std::nullopt;
  std::string_view text(buffer.data(), static_cast<std::size_t>(size));
  text = text.substr(0, text.find('\n'));
  const auto pid = parse_unsigned(text);
  if (!pid || *pid == 0 || *pid > std::numeric_limits<pid_t>::max()) return std::nullopt;
  return static_cast<pid_t>(*pid);
}

bool is_gone(std::optional<pid_t> process) {
  return process && ::kill(*process, 0) != 0 && errno == ESRCH;
}

/// 0 or an errno.
int lock_alone(int fd) {
  int code = 0;
  for (Duration waited{0}; waited < handed_on; waited += between_tries) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return 0;
    code = errno;
    if (code != EWOULDBLOCK || !is_gone(holder_of(fd))) return code;
    std::this_thread::sleep_for(between_tries);
  }
  return code;
}

/// All of a file that the kernel hands out page by page.
Result<std::string> read_pages(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return errno_failure("open " + path, errno);
  std::string text;
  std::array<char, 4096> page{};
  ssize_t size = 0;
  while ((size = ::read(fd.value(), page.data(), page.size())) > 0)
    text.append(page.data(), static_cast<std::size_t>(size));
  if (size < 0) return errno_failure("read " + path, errno);
  return text;
}

}  // namespace

Result<void> make_runtime_folder(const std::string& path) {
  if (::mkdir(path.c_str(), S_IRWXU) == 0) return {};
  const int code = errno;
  struct stat status {};
  if (code != EEXIST) return errno_failure("make the runtime folder " + path, code);
  if (::stat(path.c_str(), &status) != 0) return errno_failure("look at the runtime folder " + path, errno);
  if (!S_ISDIR(status.st_mode)) return errno_failure("make the runtime folder " + path, ENOTDIR);
  // Whoever may write here may tell us what to restore.
  if (status.st_uid != ::geteuid())
    return failure("the runtime folder " + path + " belongs to uid " + std::to_string(status.st_uid) +
                       "; expected it to be our own",
                   EPERM);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0 && ::chmod(path.c_str(), S_IRWXU) != 0 && errno != EROFS)
    return errno_failure("close the runtime folder " + path + " to others", errno);
  return {};
}

Result<bool> RuntimeLock::is_held(const std::string& runtime_dir) {
  const std::string path = runtime_dir + "/lock";
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) {
    if (errno == ENOENT) return false;
    return errno_failure("look at " + path, errno);
  }
  const auto locks = read_pages("/proc/locks");
  if (!locks) return tl::unexpected(locks.error());
  // "1: FLOCK  ADVISORY  WRITE 812 00:1a:4711 0 EOF": device in hexadecimal, inode in decimal.
  std::array<char, 64> file{};
  std::snprintf(file.data(), file.size(), " %02x:%02x:%ju ", major(about.st_dev), minor(about.st_dev),
                static_cast<std::uintmax_t>(about.st_ino));
  return locks->find(file.data()) != std::string::npos;
}

Result<RuntimeLock> RuntimeLock::acquire(const std::string& runtime_dir) {
  if (auto made = make_runtime_folder(runtime_dir); !made) return tl::unexpected(made.error());
  const std::string path = runtime_dir + "/lock";
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  // A crash may have left the file system read-only: locking, and restoring, need no write to it.
  if (!fd && errno == EROFS) fd.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) return errno_failure("open " + path, errno);
  if (const int code = lock_alone(fd.value()); code != 0) {
    if (code != EWOULDBLOCK) return errno_failure("lock " + path, code);
    const auto holder = holder_of(fd.value());
    return failure(path + " is held by " + (holder ? "process " + std::to_string(*holder) : "another process"), code);
  }
  // The pid is for the message of whoever is refused; without space for it the lock holds all the same.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd.value(), 0) == 0) (void)!::pwrite(fd.value(), pid.data(), pid.size(), 0);
  return RuntimeLock(std::move(fd));
}

}  // namespace sweetspot
