// SPDX-License-Identifier: Apache-2.0
#include "tests/support/varlink_test_client.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sweetspot::tests {

VarlinkTestClient::VarlinkTestClient(const std::string& socket_path)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path) throw std::invalid_argument("socket path too long");
  socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  const int code = errno;
  close();
  throw std::system_error(code, std::generic_category(), "connect to " + socket_path);
}

VarlinkTestClient::~VarlinkTestClient() {
  close();
}

VarlinkTestClient::VarlinkTestClient(VarlinkTestClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), peer_done_(other.peer_done_), received_(std::move(other.received_)) {}

void VarlinkTestClient::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void VarlinkTestClient::finish_sending() {
  ::shutdown(fd_, SHUT_WR);
}

std::size_t VarlinkTestClient::send_some(std::string_view bytes) {
  const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

bool VarlinkTestClient::send_bytes(std::string_view bytes, Clock::duration limit) {
  while (!bytes.empty()) {
    pollfd writable{fd_, POLLOUT, 0};
    if (::poll(&writable, 1, milliseconds_until(Clock::now() + limit)) <= 0) return false;
    const std::size_t sent = send_some(bytes);
    if (sent == 0 && errno != EAGAIN) return false;
    bytes.remove_prefix(sent);
  }
  return true;
}

bool VarlinkTestClient::send_call(const std::string& method, nlohmann::json parameters, nlohmann::json flags) {
  const bool qualified = method.find('.') != std::string::npos;
  flags["method"] = qualified ? method : "io.sweetspotd.Governor." + method;
  flags["parameters"] = std::move(parameters);
  return send(flags);
}

bool VarlinkTestClient::receive_bytes(Clock::time_point deadline) {
  if (peer_done_) return false;
  pollfd readable{fd_, POLLIN, 0};
  if (::poll(&readable, 1, milliseconds_until(deadline)) <= 0) return false;
  std::array<char, 65536> buffer{};
  const ssize_t size = ::recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return true;
  peer_done_ = size <= 0;
  if (size > 0) received_.append(buffer.data(), static_cast<std::size_t>(size));
  return size > 0;
}

std::optional<nlohmann::json> VarlinkTestClient::receive(Clock::duration limit) {
  const auto deadline = Clock::now() + limit;
  while (received_.find('\0') == std::string::npos) {
    if (!receive_bytes(deadline)) return std::nullopt;
  }
  const std::size_t end = received_.find('\0');
  const std::string text = received_.substr(0, end);
  received_.erase(0, end + 1);
  return nlohmann::json::parse(text);
}

nlohmann::json VarlinkTestClient::call(const std::string& method, nlohmann::json parameters, Clock::duration limit) {
  if (!send_call(method, std::move(parameters))) throw std::runtime_error(method + ": the daemon hung up");
  auto reply = receive(limit);
  if (!reply) throw std::runtime_error(method + ": no reply in time");
  return *std::move(reply);
}

nlohmann::json VarlinkTestClient::ask(const std::string& method, nlohmann::json parameters, Clock::duration limit) {
  nlohmann::json reply = call(method, std::move(parameters), limit);
  if (reply.contains("error")) throw std::runtime_error(method + ": " + reply.dump());
  return reply.value("parameters", nlohmann::json::object());
}

bool VarlinkTestClient::hung_up(Clock::duration limit) {
  const auto deadline = Clock::now() + limit;
  while (!peer_done_) {
    received_.clear();
    if (!receive_bytes(deadline) && !peer_done_) return false;
  }
  return true;
}

}  // namespace sweetspot::tests
