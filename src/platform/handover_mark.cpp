// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/handover_mark.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "platform/errno_text.hpp"
#include "platform/runtime_folder.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {
namespace {

std::string path_in(const std::string& runtime_dir) {
  return runtime_dir + "/handed-over";
}

std::string text_for(const std::string& boot_id) {
  return "boot_id=" + boot_id + "\n";
}

}  // namespace

Result<void> leave_handover_mark(const std::string& runtime_dir, const std::string& boot_id) {
  if (auto made = make_runtime_folder(runtime_dir); !made) return made;
  const std::string path = path_in(runtime_dir);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return errno_failure("remove " + path, errno);
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!fd) return errno_failure("make " + path, errno);
  // One write of a line: half a mark is none, and nobody needs it after the machine went down.
  const std::string text = text_for(boot_id);
  const ssize_t size = ::write(fd.value(), text.data(), text.size());
  if (size == static_cast<ssize_t>(text.size())) return {};
  const int code = size < 0 ? errno : ENOSPC;
  (void)::unlink(path.c_str());
  return errno_failure("write " + path, code);
}

Result<bool> take_handover_mark(const std::string& runtime_dir, const std::string& boot_id) {
  const std::string path = path_in(runtime_dir);
  std::array<char, 256> text{};
  ssize_t size = 0;
  if (const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)); fd)
    size = ::pread(fd.value(), text.data(), text.size(), 0);
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return false;
    return errno_failure("remove " + path, errno);
  }
  return size > 0 && std::string_view(text.data(), static_cast<std::size_t>(size)) == text_for(boot_id);
}

}  // namespace sweetspot
