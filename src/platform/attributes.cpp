// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/attributes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "platform/errno_text.hpp"

namespace sweetspot {
namespace {

/// sysfs texts end within a page; nvpmodel.conf, the longest file read here, is some 20 KiB.
constexpr std::size_t longest_text = 128 * 1024;

std::string_view without_newline(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

Result<std::string_view> read_once(int fd, const std::string& path, std::span<char> buffer) {
  ssize_t size = 0;
  do {
    size = ::pread(fd, buffer.data(), buffer.size(), 0);
  } while (size < 0 && errno == EINTR);
  if (size < 0) return errno_failure("read " + path, errno);
  const auto length = static_cast<std::size_t>(size);
  if (length == buffer.size()) return errno_failure("read " + path, EFBIG);
  return without_newline({buffer.data(), length});
}

class OpenFile final : public OpenAttribute {
 public:
  OpenFile(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  Result<std::string_view> read(std::span<char> buffer) const override { return read_once(fd_.value(), path_, buffer); }

 private:
  UniqueFd fd_;
  std::string path_;
};

/// A board has some 40 folders with something for us; more would be a leak.
constexpr std::size_t most_folders = 64;

/// As realpath(3), by one walk instead of one for every part. Empty where it is not below `root`, or /proc is not
/// there.
std::string path_behind(const std::string& full, const std::string& root) {
  const UniqueFd fd(::open(full.c_str(), O_PATH | O_CLOEXEC));
  if (!fd) return {};
  std::array<char, PATH_MAX> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(fd.value());
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  if (size <= 0 || static_cast<std::size_t>(size) == target.size()) return {};
  std::string path(target.data(), static_cast<std::size_t>(size));
  return path.compare(0, root.size() + 1, root + "/") == 0 ? path : std::string();
}

}  // namespace

FileAttributes::FileAttributes(std::string root) : root_(std::move(root)) {
  while (!root_.empty() && root_.back() == '/') root_.pop_back();
  if (root_.empty()) return;
  // real_path cuts the root off again, so it has to be free of symlinks itself.
  std::array<char, PATH_MAX> resolved{};
  if (::realpath(root_.c_str(), resolved.data()) != nullptr) root_ = resolved.data();
}

/// -1 where the folder is not below /sys or not there.
int FileAttributes::find_folder(const std::string& folder) const {
  if (folder.compare(0, 5, "/sys/") != 0) return -1;
  UniqueFd fd(::open((root_ + folder).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return -1;
  if (folders_.size() >= most_folders) folders_.clear();
  return folders_.insert_or_assign(folder, std::move(fd)).first->second.value();
}

Result<UniqueFd> FileAttributes::open_file(const std::string& path, const std::string& shown, int flags) const {
  flags |= O_CLOEXEC | O_NOCTTY;
  const std::size_t slash = path.rfind('/');
  const std::string folder = path.substr(0, slash);
  const char* const name = path.c_str() + slash + 1;
  if (const auto known = folders_.find(folder); known != folders_.end()) {
    UniqueFd fd(::openat(known->second.value(), name, flags));
    if (fd) return fd;
    // The folder of a device that went away holds nothing any more; its successor may lie at the same path.
    folders_.erase(known);
  }
  const int found = find_folder(folder);
  UniqueFd fd(found >= 0 ? ::openat(found, name, flags) : ::open((root_ + path).c_str(), flags));
  if (!fd) return errno_failure(shown, errno);
  return fd;
}

Result<std::string> FileAttributes::read(const std::string& path) const {
  const auto fd = open_file(path, "read " + path, O_RDONLY | O_NONBLOCK);
  if (!fd) return tl::unexpected(fd.error());
  std::array<char, 4097> page;
  auto text = read_once(fd->value(), path, page);
  if (text) return std::string(*text);
  if (text.error().code != EFBIG) return tl::unexpected(text.error());
  std::vector<char> large(longest_text);
  return read_once(fd->value(), path, large).map([](std::string_view all) { return std::string(all); });
}

Result<void> FileAttributes::write(const std::string& path, const std::string& text) {
  const std::string what = "write " + path + ": " + text;
  const auto fd = open_file(path, what, O_WRONLY);
  if (!fd) return tl::unexpected(fd.error());
  const std::string line = text + "\n";
  // Not repeated after EINTR: the kernel may have taken the value, and whoever writes a clock reads it back anyway.
  const ssize_t size = ::write(fd->value(), line.data(), line.size());
  if (size < 0) return errno_failure(what, errno);
  if (static_cast<std::size_t>(size) != line.size()) return errno_failure(what, EIO);
  return {};
}

Result<std::vector<std::string>> FileAttributes::list(const std::string& folder) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir((root_ + folder).c_str()), &::closedir);
  if (!dir) return errno_failure("list " + folder, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return errno_failure("list " + folder, errno);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> FileAttributes::real_path(const std::string& path) const {
  if (const std::string behind = path_behind(root_ + path, root_); !behind.empty()) return behind.substr(root_.size());
  std::array<char, PATH_MAX> resolved{};
  if (::realpath((root_ + path).c_str(), resolved.data()) == nullptr) return errno_failure("resolve " + path, errno);
  const std::string full = resolved.data();
  if (full.compare(0, root_.size() + 1, root_ + "/") != 0) return errno_failure("resolve " + path, EXDEV);
  return full.substr(root_.size());
}

bool FileAttributes::exists(const std::string& path) const {
  return ::access((root_ + path).c_str(), F_OK) == 0;
}

Result<std::unique_ptr<OpenAttribute>> FileAttributes::open(const std::string& path) const {
  auto fd = open_file(path, "open " + path, O_RDONLY | O_NONBLOCK);
  if (!fd) return tl::unexpected(fd.error());
  return std::make_unique<OpenFile>(std::move(*fd), path);
}

std::optional<bool> FileAttributes::written_since_last_asked(const std::string& path) {
  if (!inotify_) inotify_.reset(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify_) return std::nullopt;
  collect_writes();
  const auto known = watches_.find(path);
  if (known != watches_.end()) return std::exchange(known->second.written, false);
  const int id = ::inotify_add_watch(inotify_.value(), (root_ + path).c_str(), IN_MODIFY);
  if (id >= 0) watches_[path] = Watch{id, false};
  return std::nullopt;
}

void FileAttributes::collect_writes() {
  alignas(inotify_event) std::array<char, 4096> buffer{};
  ssize_t size = 0;
  while ((size = ::read(inotify_.value(), buffer.data(), buffer.size())) > 0) {
    std::size_t at = 0;
    while (at + sizeof(inotify_event) <= static_cast<std::size_t>(size)) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      at += sizeof event + event.len;
      for (auto watch = watches_.begin(); watch != watches_.end();) {
        const bool affected = watch->second.id == event.wd || (event.mask & IN_Q_OVERFLOW) != 0;
        if (affected) watch->second.written = true;
        // IN_IGNORED: the file went with its device; the next question watches its successor.
        const bool gone = watch->second.id == event.wd && (event.mask & IN_IGNORED) != 0;
        watch = gone ? watches_.erase(watch) : std::next(watch);
      }
    }
  }
}

}  // namespace sweetspot
