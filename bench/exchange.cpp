// SPDX-License-Identifier: Apache-2.0
#include "bench/exchange.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace sweetspot::bench {
namespace {

std::system_error refused(const std::string& what) {
  return {errno, std::generic_category(), what};
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

/// One client after the other, in a process of its own: system calls only.
[[noreturn]] void echo_for_ever(int listener) {
  static std::array<char, 65536> buffer;
  for (;;) {
    const int client = ::accept(listener, nullptr, nullptr);
    if (client < 0) ::_exit(1);
    ssize_t size = 0;
    while ((size = ::recv(client, buffer.data(), buffer.size(), 0)) > 0) {
      if (!send_all(client, {buffer.data(), static_cast<std::size_t>(size)})) break;
    }
    ::close(client);
  }
}

}  // namespace

Exchange::Exchange(const std::string& socket_path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_un address = address_of(socket_path);
  if (::connect(socket_.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw refused("connect " + socket_path);
}

std::string_view Exchange::ask(std::string_view message) {
  if (!send_all(socket_.value(), message)) throw refused("send");
  constexpr std::size_t room = 65536;
  reply_.resize(room);
  std::size_t got = 0;
  do {
    const ssize_t size = ::recv(socket_.value(), reply_.data() + got, room - got, 0);
    if (size <= 0) throw std::runtime_error("no whole reply");
    got += static_cast<std::size_t>(size);
  } while (reply_[got - 1] != '\0');
  return std::string_view(reply_).substr(0, got);
}

std::string call_message(std::string_view method, std::string_view parameters) {
  std::string text = R"({"method":"io.sweetspotd.Governor.)" + std::string(method) + R"(","parameters":)";
  text += parameters;
  text += '}';
  text += '\0';
  return text;
}

EchoServer::EchoServer(const std::string& socket_path) {
  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_of(socket_path);
  if (::bind(listener.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.value(), 8) != 0)
    throw refused("listen on " + socket_path);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw refused("fork");
  if (pid_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  echo_for_ever(listener.value());
}

EchoServer::~EchoServer() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace sweetspot::bench
