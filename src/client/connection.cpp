// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace sweetspot {
namespace {

constexpr std::size_t read_size = 64 * 1024;

Instant now() {
  return std::chrono::steady_clock::now();
}

int milliseconds_until(Instant deadline) {
  const Duration left = deadline - now();
  if (left <= Duration::zero()) return 0;
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return milliseconds > INT_MAX ? INT_MAX : static_cast<int>(milliseconds);
}

// A unix connect blocks while the listener's backlog is full; the send timeout bounds it.
void bound_connect(int fd, Duration timeout) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  timeval limit{};
  limit.tv_sec = whole.count();
  limit.tv_usec = std::chrono::duration_cast<std::chrono::microseconds>(timeout - whole).count();
  if (limit.tv_sec == 0 && limit.tv_usec == 0) limit.tv_usec = 1;
  // Cannot fail on an open socket with a valid timeval; without it connect would merely wait longer.
  static_cast<void>(::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
}

// connect says ECONNREFUSED for a file that is no socket, and EAGAIN when the send timeout is over.
int connect_code(const std::string& path, int code) {
  struct stat about {};
  if (code == EAGAIN) return ETIMEDOUT;
  if (code == ECONNREFUSED && ::stat(path.c_str(), &about) == 0 && !S_ISSOCK(about.st_mode)) return ENOTSOCK;
  return code;
}

}  // namespace

std::string connect_problem(const std::string& path, int code) {
  const std::string what = "cannot reach sweetspotd at " + path + ": ";
  switch (code) {
    case ENOENT:
      return what +
             "there is no such socket; start the service with `sudo systemctl start sweetspotd.socket`, or name "
             "another socket with --socket or SWEETSPOT_SOCKET";
    case ECONNREFUSED:
      return what + "nobody listens there; the service is stopped: `sudo systemctl restart sweetspotd.socket`";
    case EACCES:
    case EPERM:
      return what +
             "permission denied; it is for members of the group sweetspot-users: `sudo usermod -aG "
             "sweetspot-users $USER`, then log in again";
    case ENOTSOCK:
      return what + "that file is not a socket";
    case ETIMEDOUT:
      return what + "it does not take the connection in time; see `systemctl status sweetspotd`";
    default:
      return what + std::strerror(code);
  }
}

Result<Connection> Connection::open(const std::string& path, Duration timeout) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return failure(
        "socket path \"" + path + "\": expected 1 to " + std::to_string(sizeof address.sun_path - 1) + " bytes",
        ENAMETOOLONG);
  std::memcpy(address.sun_path, path.data(), path.size());

  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return failure(std::string("socket: ") + std::strerror(errno), errno);
  bound_connect(fd.value(), timeout);
  int outcome = 0;
  do {
    outcome = ::connect(fd.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } while (outcome != 0 && errno == EINTR);
  if (outcome != 0) {
    const int code = connect_code(path, errno);
    return failure(connect_problem(path, code), code);
  }
  const int flags = ::fcntl(fd.value(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.value(), F_SETFL, flags | O_NONBLOCK) != 0)
    return failure(std::string("fcntl: ") + std::strerror(errno), errno);
  return Connection(std::move(fd));
}

tl::unexpected<Error> Connection::broken(std::string message, int code) {
  fd_.reset();
  return failure(std::move(message), code);
}

Result<void> Connection::wait_for(short events, Instant deadline) {
  while (true) {
    pollfd waiting{fd_.value(), events, 0};
    const int ready = ::poll(&waiting, 1, milliseconds_until(deadline));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return broken(std::string("poll: ") + std::strerror(errno), errno);
    if (now() >= deadline) return broken("sweetspotd does not answer in time", ETIMEDOUT);
  }
}

Result<void> Connection::send(const Call& call, Duration timeout) {
  const Instant deadline = now() + timeout;
  const std::string text = call_text(call);
  std::size_t sent = 0;
  while (sent < text.size()) {
    if (!fd_) return failure("the connection to sweetspotd is closed", ENOTCONN);
    // No SIGPIPE, and no change of its disposition either: a wrapped command would inherit that.
    const ssize_t count = ::send(fd_.value(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      if (auto ready = wait_for(POLLOUT, deadline); !ready) return ready;
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return broken("sweetspotd hung up", ECONNRESET);
    } else if (errno != EINTR) {
      return broken(std::string("send: ") + std::strerror(errno), errno);
    }
  }
  return {};
}

Result<bool> Connection::read_some() {
  if (!fd_) return failure("the connection to sweetspotd is closed", ENOTCONN);
  std::array<char, read_size> buffer;
  const ssize_t count = ::read(fd_.value(), buffer.data(), buffer.size());
  if (count > 0) {
    reader_.feed(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count < 0 && errno != ECONNRESET) return broken(std::string("read: ") + std::strerror(errno), errno);
  return broken(reader_.pending() > 0 ? "sweetspotd hung up in the middle of a reply" : "sweetspotd hung up",
                ECONNRESET);
}

Result<std::optional<Reply>> Connection::take_reply() {
  std::string message;
  switch (reader_.next(message)) {
    case MessageReader::Next::incomplete:
      return std::nullopt;
    case MessageReader::Next::too_long:
      return broken("the reply is longer than " + std::to_string(longest_reply_bytes) + " bytes", EMSGSIZE);
    case MessageReader::Next::message:
      break;
  }
  auto reply = parse_reply(message);
  if (!reply) return broken("sweetspotd's reply makes no sense: " + reply.error().message, EBADMSG);
  return std::optional<Reply>(std::move(*reply));
}

Result<std::optional<Reply>> Connection::receive_now() {
  while (true) {
    auto reply = take_reply();
    if (!reply || *reply) return reply;
    auto more = read_some();
    if (!more) return failure(std::move(more.error()));
    if (!*more) return std::nullopt;
  }
}

Result<Reply> Connection::receive(Duration timeout) {
  const Instant deadline = now() + timeout;
  while (true) {
    auto reply = receive_now();
    if (!reply) return failure(std::move(reply.error()));
    if (*reply) return std::move(**reply);
    // Also where bytes keep coming: a peer that dribbles may not hold its caller for ever.
    if (now() >= deadline) return broken("sweetspotd does not answer in time", ETIMEDOUT);
    if (auto ready = wait_for(POLLIN, deadline); !ready) return failure(std::move(ready.error()));
  }
}

Result<Reply> Connection::call(const Call& call, Duration timeout) {
  if (auto sent = send(call, timeout); !sent) return failure(std::move(sent.error()));
  if (call.oneway) return Reply{};
  return receive(timeout);
}

}  // namespace sweetspot
