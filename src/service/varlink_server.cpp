// SPDX-License-Identifier: Apache-2.0
#include "service/varlink_server.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "sweetspot/wire/replies.hpp"

namespace sweetspot {
namespace {

// What a user gets before others have their turn: a few messages of one connection, or one that takes longer than this.
constexpr std::size_t messages_per_turn = 4;
constexpr Duration turn_time = std::chrono::milliseconds(1);
constexpr Duration accept_pause = seconds(1);

}  // namespace

Result<std::unique_ptr<VarlinkServer>> VarlinkServer::create(EventLoop& loop, UniqueFd listener, Limits limits,
                                                             Handlers handlers) {
  std::unique_ptr<VarlinkServer> server(new VarlinkServer(loop, std::move(listener), limits, std::move(handlers)));
  auto accepting =
      loop.add_io(server->listener_.value(), EPOLLIN, "accept", [s = server.get()](std::uint32_t) { s->accept_one(); });
  if (!accepting) return failure(std::move(accepting.error()));
  server->accepting_ = *std::move(accepting);
  server->continuing_ = loop.deferred([s = server.get()] { s->serve_queued(); });
  auto again = loop.add_timer("accept again", [s = server.get()] {
    if (!s->frozen_) s->accepting_.watch(EPOLLIN);
  });
  if (!again) return failure(std::move(again.error()));
  server->accepting_again_ = *std::move(again);
  return server;
}

VarlinkServer::VarlinkServer(EventLoop& loop, UniqueFd listener, Limits limits, Handlers handlers)
    : loop_(loop),
      listener_(std::move(listener)),
      limits_(limits),
      handlers_(std::move(handlers)),
      buffer_(longest_call_bytes) {}

VarlinkServer::Connection* VarlinkServer::find(ConnectionId id) {
  const auto found = connections_.find(id);
  return found == connections_.end() || found->second.doomed ? nullptr : &found->second;
}

/// One each time, as one turn is served each time: a storm of short connections is then over as fast as it comes in,
/// instead of filling its user's quota.
void VarlinkServer::accept_one() {
  UniqueFd socket(::accept4(listener_.value(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket) return admit(std::move(socket));
  // Out of descriptors: the waiting connection would wake us for ever. A closed one switches accepting on again, and so
  // does a second, since others may be the ones who use them up.
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
    accepting_.watch(0);
    accepting_paused_ = true;
    accepting_again_.arm(EventLoop::now() + accept_pause);
  }
}

void VarlinkServer::admit(UniqueFd socket) {
  const auto credentials = peer_credentials(socket.value());
  if (!credentials) return;
  std::size_t& of_uid = per_uid_[credentials->uid];
  if (connections_.size() >= limits_.connections || of_uid >= limits_.connections_per_uid) {
    if (of_uid == 0) per_uid_.erase(credentials->uid);
    return;  // hung up: the peer has not asked anything yet, so there is nothing to answer
  }
  Peer peer{*credentials, 0};
  if (peer.credentials.pid > 0) {
    if (const auto stat = read_process_stat(peer.credentials.pid)) peer.start_ticks = stat->start_ticks;
  }
  if (add(std::move(socket), peer) == connections_.end() && of_uid == 0) per_uid_.erase(credentials->uid);
}

/// The end of the map when the loop refuses it.
VarlinkServer::Connections::iterator VarlinkServer::add(UniqueFd socket, const Peer& peer) {
  const ConnectionId id = next_id_++;
  auto source =
      loop_.add_io(socket.value(), EPOLLIN, "client", [this, id](std::uint32_t events) { on_io(id, events); });
  if (!source) return connections_.end();
  ++per_uid_[peer.credentials.uid];
  Connection connection;
  connection.socket = std::move(socket);
  connection.peer = peer;
  connection.source = *std::move(source);
  return connections_.emplace(id, std::move(connection)).first;
}

void VarlinkServer::on_io(ConnectionId id, std::uint32_t events) {
  Connection* connection = find(id);
  if (!connection) return;
  if ((events & (EPOLLHUP | EPOLLERR)) != 0 && (events & EPOLLIN) == 0) {
    // What it said before it hung up still counts; the hang-up is seen again after that.
    if (!connection->queued) drop(id);
    return;
  }
  if ((events & EPOLLOUT) != 0 && !flush(*connection)) return drop(id);
  if ((events & EPOLLIN) != 0 && !receive(id, *connection)) return;
  if (may_go_first(*connection)) {
    serve(id);
    return;
  }
  queue(id, *connection);
  update_interest(*connection);
}

/// Whoever has no more connections than a turn has calls cannot crowd anybody out, and waits for nobody when nobody
/// waits: the usual case, and a round of the loop less.
bool VarlinkServer::may_go_first(const Connection& connection) const {
  if (connection.queued || !queue_.empty()) return false;
  const auto of_uid = per_uid_.find(connection.peer.credentials.uid);
  return of_uid != per_uid_.end() && of_uid->second <= messages_per_turn;
}

/// False when the connection was dropped.
bool VarlinkServer::receive(ConnectionId id, Connection& connection) {
  const ssize_t got = ::recv(connection.socket.value(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  if (got < 0) {
    if (errno == EAGAIN || errno == EINTR) return true;
    drop(id);
    return false;
  }
  if (got == 0) {
    connection.peer_done_sending = true;
    return true;
  }
  connection.reader.feed({buffer_.data(), static_cast<std::size_t>(got)});
  return true;
}

/// Serves whole messages until there are none, the turn is over, or a reply is under way. True when there was one.
bool VarlinkServer::serve(ConnectionId id) {
  std::string message;
  const Instant end = EventLoop::now() + turn_time;
  std::size_t served = 0;
  while (served < messages_per_turn && (served == 0 || EventLoop::now() < end)) {
    Connection* connection = find(id);
    if (!connection) return served > 0;
    if (frozen_ || connection->held || !connection->unsent.empty()) {
      update_interest(*connection);
      return served > 0;
    }
    const auto next = connection->reader.next(message);
    if (next == MessageReader::Next::message) {
      dispatch(id, *connection, message);
      ++served;
    } else if (next == MessageReader::Next::too_long || connection->peer_done_sending) {
      drop(id);
      return served > 0;
    } else {
      update_interest(*connection);
      return served > 0;
    }
  }
  if (Connection* connection = find(id)) {
    queue(id, *connection);
    update_interest(*connection);
  }
  return true;
}

void VarlinkServer::queue(ConnectionId id, Connection& connection) {
  if (!std::exchange(connection.queued, true)) queue_.push(connection.peer.credentials.uid, id);
  continuing_.defer();
}

/// The peer is gone or too slow. Whoever replies may be in the middle of something, so it learns of that in the next
/// turn.
void VarlinkServer::doom(ConnectionId id, Connection& connection) {
  connection.source = {};
  queue(id, connection);
  connection.doomed = true;
}

/// One turn each time, so that new messages of others come between those of a flood. A connection that has nothing to
/// say, because it is over or its message has not ended, costs no turn.
void VarlinkServer::serve_queued() {
  const Instant end = EventLoop::now() + turn_time;
  while (const auto id = queue_.pop()) {
    if (take_turn(*id) || EventLoop::now() >= end) break;
  }
  if (!queue_.empty()) continuing_.defer();
}

/// True when a message was served.
bool VarlinkServer::take_turn(ConnectionId id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return false;
  found->second.queued = false;
  if (!found->second.doomed) return serve(id);
  drop(id);
  return false;
}

void VarlinkServer::dispatch(ConnectionId id, Connection& connection, const std::string& message) {
  auto call = parse_call(message);
  if (call) return handlers_.call(id, Peer(connection.peer), *std::move(call));
  if (std::holds_alternative<NotVarlink>(call.error().what)) return drop(id);
  if (call.error().oneway) return handlers_.oneway_refused();
  send(id, connection, error_reply(call.error()));
}

void VarlinkServer::reply(ConnectionId id, const std::string& message) {
  Connection* connection = find(id);
  if (!connection) return;
  const bool was_held = std::exchange(connection->held, false);
  send(id, *connection, message);
  // Calls that waited behind this reply are served by the next turn of the loop, not from inside the caller.
  connection = find(id);
  if (connection && was_held) queue(id, *connection);
}

void VarlinkServer::reply_and_continue(ConnectionId id, const std::string& message) {
  if (Connection* connection = find(id)) send(id, *connection, message);
}

void VarlinkServer::hold(ConnectionId id) {
  if (Connection* connection = find(id)) connection->held = true;
}

void VarlinkServer::send(ConnectionId id, Connection& connection, const std::string& message) {
  if (connection.unsent.size() + message.size() > limits_.backlog_bytes && !connection.unsent.empty())
    return doom(id, connection);
  connection.unsent += message;
  if (!flush(connection)) return doom(id, connection);
  update_interest(connection);
}

/// False when the peer is gone.
bool VarlinkServer::flush(Connection& connection) {
  std::size_t sent = 0;
  while (sent < connection.unsent.size()) {
    const ssize_t n = ::send(connection.socket.value(), connection.unsent.data() + sent,
                             connection.unsent.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  connection.unsent.erase(0, sent);
  return true;
}

void VarlinkServer::update_interest(Connection& connection) const {
  // Somebody else will hear of the hang-up, and read what was said before it.
  if (frozen_ && connection.unsent.empty()) return connection.source.disarm();
  std::uint32_t events = 0;
  if (!connection.unsent.empty()) events |= EPOLLOUT;
  // A peer that only closed its sending side still gets what it asked for. One that is gone altogether is reported as
  // EPOLLHUP, whatever we wait for.
  const bool may_read =
      !frozen_ && !connection.held && connection.unsent.empty() && !connection.queued && !connection.peer_done_sending;
  if (may_read) events |= EPOLLIN;
  // A hang-up that has to wait for its connection's turn is told once, not in every turn of the loop.
  if (connection.queued) events |= EPOLLET;
  connection.source.watch(events);
}

void VarlinkServer::drop(ConnectionId id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  const std::uint32_t uid = found->second.peer.credentials.uid;
  connections_.erase(found);
  if (const auto of_uid = per_uid_.find(uid); of_uid != per_uid_.end() && --of_uid->second == 0) per_uid_.erase(of_uid);
  if (std::exchange(accepting_paused_, false) && !frozen_) accepting_.watch(EPOLLIN);
  handlers_.gone(id);
}

void VarlinkServer::freeze() {
  frozen_ = true;
  accepting_.watch(0);
  for (auto& [id, connection] : connections_) {
    if (!connection.doomed) update_interest(connection);
  }
}

std::optional<VarlinkServer::Carried> VarlinkServer::carried(ConnectionId id) const {
  const auto found = connections_.find(id);
  if (found == connections_.end() || found->second.doomed) return std::nullopt;
  const Connection& connection = found->second;
  return Carried{connection.socket.value(), connection.peer.start_ticks, std::string(connection.reader.rest()),
                 connection.unsent, connection.peer_done_sending};
}

Result<ConnectionId> VarlinkServer::adopt(UniqueFd socket, Carried carried) {
  const auto credentials = peer_credentials(socket.value());
  if (!credentials) return failure(Error(credentials.error()));
  const auto added = add(std::move(socket), Peer{*credentials, carried.start_ticks});
  if (added == connections_.end()) return failure("the event loop takes no more connections");
  auto& [id, connection] = *added;
  connection.reader.feed(carried.received);
  connection.unsent = std::move(carried.unsent);
  connection.peer_done_sending = carried.peer_done_sending;
  queue(id, connection);
  update_interest(connection);
  return id;
}

}  // namespace sweetspot
