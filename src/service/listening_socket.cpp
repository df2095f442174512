// SPDX-License-Identifier: Apache-2.0
#include "service/listening_socket.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace sweetspot {
namespace {

constexpr int waiting_connections = 128;

tl::unexpected<Error> refused(const std::string& what) {
  return failure(what + ": " + std::strerror(errno), errno);
}

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return failure("socket path '" + path + "' has " + std::to_string(path.size()) + " bytes; expected 1 to " +
                   std::to_string(sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, path.c_str(), path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

Result<void> make_way(const std::string& path, const sockaddr_un& address) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (!S_ISSOCK(status.st_mode))
    return failure(path + " is there and no socket; remove it or name another --socket", EEXIST);
  UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::connect(probe.value(), generic(address), sizeof address) == 0 || errno == EAGAIN)
    return failure(path + " is in use by another daemon; stop it or name another --socket", EADDRINUSE);
  if (::unlink(path.c_str()) != 0) return refused("remove " + path);
  return {};
}

void give_to_clients(const std::string& path) {
  // Without the group, root alone may connect until the package or the administrator makes it; doctor says so.
  if (const group* clients = ::getgrnam(client_group))
    (void)!::chown(path.c_str(), static_cast<uid_t>(-1), clients->gr_gid);
}

}  // namespace

Result<UniqueFd> listening_socket(const std::string& path, std::vector<UniqueFd> passed) {
  if (passed.size() > 1)
    return failure("systemd passed " + std::to_string(passed.size()) + " sockets; expected one (sweetspotd.socket)");
  if (passed.size() == 1) {
    UniqueFd fd = std::move(passed.front());
    if (sd_is_socket(fd.value(), AF_UNIX, SOCK_STREAM, 1) <= 0)
      return failure("the socket passed by systemd is not a listening unix stream socket");
    // systemd passes it in blocking mode; an accept() that finds nobody would hold up the whole loop.
    const int flags = ::fcntl(fd.value(), F_GETFL);
    if (flags < 0 || ::fcntl(fd.value(), F_SETFL, flags | O_NONBLOCK) != 0)
      return refused("make the socket non-blocking");
    return fd;
  }
  const auto address = address_of(path);
  if (!address) return failure(address.error());
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (auto free = make_way(path, *address); !free) return failure(std::move(free.error()));
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return refused("socket");
  const mode_t mask = ::umask(0117);
  const int bound = ::bind(fd.value(), generic(*address), sizeof *address);
  ::umask(mask);
  if (bound != 0) return refused("bind " + path);
  give_to_clients(path);
  if (::listen(fd.value(), waiting_connections) != 0) return refused("listen on " + path);
  return fd;
}

}  // namespace sweetspot
