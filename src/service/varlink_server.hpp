// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/event_loop.hpp"
#include "service/turn_queue.hpp"
#include "sweetspot/platform/process.hpp"
#include "sweetspot/platform/unique_fd.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/varlink_framing.hpp"

namespace sweetspot {

using ConnectionId = std::uint64_t;

/// Who is at the other end, from the kernel, as of the connection's start.
struct Peer {
  PeerCredentials credentials;
  std::uint64_t start_ticks = 0;  ///< of the process; 0 where it cannot be seen
};

/// The varlink side of the daemon: accepts connections on one listening socket, cuts messages, keeps replies in order,
/// and sees to it that a client that floods, stalls, half-closes or sends rubbish harms only itself. It knows the
/// protocol and no jobs. Loop thread only.
///
/// A connection answers one call at a time: while a reply is held back or still unsent, no further call of that
/// connection is looked at. Between users the server is fair: TurnQueue.
class VarlinkServer {
 public:
  struct Limits {
    std::size_t connections = 1024;
    std::size_t connections_per_uid = 256;
    std::size_t backlog_bytes = 1024 * 1024;  ///< unsent replies; beyond it the client is dropped
  };
  struct Handlers {
    /// A well-formed call. The handler answers with reply() now, or calls hold() and answers later.
    std::function<void(ConnectionId, const Peer&, Call)> call;
    /// A oneway call that was refused: nobody is told, so it is counted.
    std::function<void()> oneway_refused;
    /// The connection is gone, for whatever reason. Called once for each, never from inside reply().
    std::function<void(ConnectionId)> gone;
  };

  /// Takes over a listening socket.
  [[nodiscard]] static Result<std::unique_ptr<VarlinkServer>> create(EventLoop& loop, UniqueFd listener, Limits limits,
                                                                     Handlers handlers);

  /// Sends a whole reply message and ends a hold(). reply_and_continue() leaves the hold: more replies come.
  void reply(ConnectionId id, const std::string& message);
  void reply_and_continue(ConnectionId id, const std::string& message);
  /// No further call of this connection until its reply().
  void hold(ConnectionId id);
  /// For good: no new connection, no further byte and no further call; what is under way gets its reply. Connections
  /// that hang up are kept with what they have sent, for whoever goes on with them.
  void freeze();
  /// A connection as another process can go on with it. The socket stays the server's.
  struct Carried {
    int socket = -1;
    std::uint64_t start_ticks = 0;  ///< Peer's
    std::string received;           ///< bytes of calls not served yet
    std::string unsent;             ///< bytes of replies not sent yet
    bool peer_done_sending = false;
  };
  /// Empty for a connection that is gone.
  [[nodiscard]] std::optional<Carried> carried(ConnectionId id) const;
  /// Goes on with a connection of an earlier process, whatever the limits; `carried.socket` is not looked at.
  [[nodiscard]] Result<ConnectionId> adopt(UniqueFd socket, Carried carried);
  void set_limits(Limits limits) { limits_ = limits; }
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }

 private:
  struct Connection {
    UniqueFd socket;
    Peer peer;
    EventLoop::Source source;
    MessageReader reader;
    std::string unsent;
    bool held = false;
    bool peer_done_sending = false;
    bool queued = false;  ///< waits for the next turn of the loop
    bool doomed = false;  ///< to be dropped in the next turn of the loop
  };
  using Connections = std::map<ConnectionId, Connection>;
  VarlinkServer(EventLoop& loop, UniqueFd listener, Limits limits, Handlers handlers);

  void accept_one();
  void drop(ConnectionId id);
  void admit(UniqueFd socket);
  Connections::iterator add(UniqueFd socket, const Peer& peer);
  void on_io(ConnectionId id, std::uint32_t events);
  [[nodiscard]] bool receive(ConnectionId id, Connection& connection);
  [[nodiscard]] bool may_go_first(const Connection& connection) const;
  bool serve(ConnectionId id);
  void serve_queued();
  bool take_turn(ConnectionId id);
  void dispatch(ConnectionId id, Connection& connection, const std::string& message);
  void send(ConnectionId id, Connection& connection, const std::string& message);
  [[nodiscard]] bool flush(Connection& connection);
  void update_interest(Connection& connection) const;
  void queue(ConnectionId id, Connection& connection);
  void doom(ConnectionId id, Connection& connection);
  [[nodiscard]] Connection* find(ConnectionId id);

  EventLoop& loop_;
  UniqueFd listener_;
  Limits limits_;
  Handlers handlers_;
  EventLoop::Source accepting_;
  bool accepting_paused_ = false;
  bool frozen_ = false;
  EventLoop::Source accepting_again_;
  EventLoop::Source continuing_;
  Connections connections_;
  std::map<std::uint32_t, std::size_t> per_uid_;
  TurnQueue queue_;
  ConnectionId next_id_ = 1;
  std::vector<char> buffer_;
};

}  // namespace sweetspot
