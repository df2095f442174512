// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/uevents.hpp"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "platform/errno_text.hpp"

namespace sweetspot {
namespace {

/// The kernel's own limit for one uevent's variables is 2 KiB, the header comes on top.
constexpr std::size_t longest_message = 8192;
constexpr unsigned kernel_group = 1;  // group 2 is udev's

bool sent_by_kernel(const sockaddr_nl& sender) {
  return sender.nl_pid == 0 && sender.nl_groups == kernel_group;
}

std::string_view cut_part(std::string_view& message) {
  const std::size_t end = std::min(message.find('\0'), message.size());
  const std::string_view part = message.substr(0, end);
  message.remove_prefix(std::min(end + 1, message.size()));
  return part;
}

}  // namespace

Result<Uevents> Uevents::open() {
  UniqueFd fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT));
  if (!fd) return errno_failure("open a uevent socket", errno);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = kernel_group;
  if (::bind(fd.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return errno_failure("bind a uevent socket", errno);
  }
  return Uevents(std::move(fd));
}

Result<std::optional<Uevent>> Uevents::next() {
  std::array<char, longest_message> buffer;
  for (;;) {
    sockaddr_nl sender{};
    socklen_t size = sizeof sender;
    const ssize_t length =
        ::recvfrom(fd_.value(), buffer.data(), buffer.size(), MSG_TRUNC, reinterpret_cast<sockaddr*>(&sender), &size);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
    if (length < 0) return errno_failure("read a uevent", errno);
    const auto bytes = static_cast<std::size_t>(length);
    if (bytes > buffer.size() || size != sizeof sender || !sent_by_kernel(sender)) continue;
    if (auto event = parse_uevent({buffer.data(), bytes})) return event;
  }
}

std::optional<Uevent> parse_uevent(std::string_view message) {
  const std::string_view header = cut_part(message);
  const std::size_t at = header.find('@');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  Uevent event{.action = std::string(header.substr(0, at)), .devpath = std::string(header.substr(at + 1))};
  if (event.devpath.empty() || event.devpath.front() != '/') return std::nullopt;
  constexpr std::string_view key = "SUBSYSTEM=";
  while (!message.empty()) {
    const std::string_view part = cut_part(message);
    if (part.substr(0, key.size()) == key) event.subsystem = std::string(part.substr(key.size()));
  }
  return event;
}

}  // namespace sweetspot
