// SPDX-License-Identifier: Apache-2.0
#include "simulator/process_name.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace sweetspot {

namespace {

std::string content(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::array<char, 512> buffer{};
  const ssize_t size = read(fd, buffer.data(), buffer.size());
  close(fd);
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string{};
}

// "Tgid:\t123\n" -> "123"
std::string field(const std::string& status, const std::string& name) {
  const auto at = status.find(name + ":\t");
  if (at == std::string::npos) return {};
  const auto begin = at + name.size() + 2;
  return status.substr(begin, status.find('\n', begin) - begin);
}

}  // namespace

std::string process_name(pid_t thread) {
  const std::string status = content("/proc/" + std::to_string(thread) + "/status");
  const std::string process = field(status, "Tgid");
  if (process.empty()) return "?";
  if (process == std::to_string(thread)) return field(status, "Name");
  std::string name = content("/proc/" + process + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name.empty() ? "?" : name;
}

}  // namespace sweetspot
