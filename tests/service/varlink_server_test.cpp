// SPDX-License-Identifier: Apache-2.0
#include "service/varlink_server.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "service/listening_socket.hpp"
#include "sweetspot/wire/client_messages.hpp"
#include "sweetspot/wire/replies.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

/// A server whose handlers the test scripts.
struct ServedSocket {
  ServedSocket() : loop(*EventLoop::create()) {
    auto listener = listening_socket(path, {});
    EXPECT_TRUE(listener) << listener.error().message;
    auto made = VarlinkServer::create(loop, *std::move(listener),
                                      {.connections = 8, .connections_per_uid = 6, .backlog_bytes = 64 * 1024},
                                      {.call = [this](ConnectionId id, const Peer&, Call call) { on_call(id, call); },
                                       .oneway_refused = [this] { ++oneway_refused; },
                                       .gone =
                                           [this](ConnectionId id) {
                                             gone.push_back(id);
                                             on_gone(id);
                                           }});
    server = *std::move(made);
  }
  UniqueFd connect() {
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(fd.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return fd;
  }
  /// Turns the loop for a moment, and then until all that waits has been served, however slow the machine: what is due
  /// comes before what becomes due later, such as this timer. Once per test: an ended sd-event does not start again.
  void turn() {
    int left = 1000;  // far more turns than any test takes
    Result<EventLoop::Source> stop = failure("not made yet");
    stop = loop.add_timer("end of turn", [&] {
      if (--left == 0) return loop.stop(0);
      stop->arm(EventLoop::now());
    });
    stop->arm(EventLoop::now() + std::chrono::milliseconds(30));
    (void)loop.run();
  }

  TemporaryFolder folder;
  std::string path = folder.path() + "/socket";
  EventLoop loop;
  std::function<void(ConnectionId, const Call&)> on_call = [](ConnectionId, const Call&) {};
  std::function<void(ConnectionId)> on_gone = [](ConnectionId) {};
  std::vector<ConnectionId> gone;
  int oneway_refused = 0;
  std::unique_ptr<VarlinkServer> server;
};

void send_text(const UniqueFd& fd, std::string_view text) {
  ASSERT_EQ(::send(fd.value(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
}

/// What has arrived so far; "<eof>" at the end when the server hung up.
std::string received(const UniqueFd& fd) {
  std::string all;
  char chunk[65536];
  while (true) {
    const ssize_t n = ::recv(fd.value(), chunk, sizeof chunk, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno == ECONNRESET)) return all + "<eof>";
    if (n < 0) return all;
    all.append(chunk, static_cast<std::size_t>(n));
  }
}

std::string call(std::string_view method) {
  std::string text = R"({"method":"io.sweetspotd.Governor.)" + std::string(method) + "\"}";
  text.push_back('\0');
  return text;
}

TEST(VarlinkServer, AnswersManyMessagesOfOnePacketInOrder) {
  ServedSocket served;
  int calls = 0;
  served.on_call = [&](ConnectionId id, const Call&) { served.server->reply(id, std::to_string(calls++) + ";"); };
  const UniqueFd client = served.connect();
  std::string packet;
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    packet += call("GetStatus");
    expected += std::to_string(i) + ";";
  }
  send_text(client, packet);
  served.turn();
  EXPECT_EQ(received(client), expected);
}

TEST(VarlinkServer, HoldsFurtherCallsBackUntilTheReplyIsOut) {
  ServedSocket served;
  std::vector<ConnectionId> calls;
  served.on_call = [&](ConnectionId id, const Call&) {
    calls.push_back(id);
    served.server->hold(id);
    if (calls.size() == 1) return;
    served.server->reply(id, "second");
  };
  auto later = served.loop.add_timer("later", [&] {
    EXPECT_EQ(calls.size(), 1U);
    served.server->reply(calls[0], "first ");
  });
  later->arm(EventLoop::now() + std::chrono::milliseconds(10));
  const UniqueFd client = served.connect();
  send_text(client, call("GetStatus") + call("GetStatus"));
  served.turn();
  EXPECT_EQ(received(client), "first second");
}

TEST(VarlinkServer, HangsUpOnWhatIsNotVarlinkAndSaysThatTheConnectionIsGone) {
  for (const std::string& rubbish : {std::string("GET / HTTP/1.1\r\n\r\n\0", 19), std::string("[]\0", 3)}) {
    ServedSocket served;
    const UniqueFd client = served.connect();
    send_text(client, rubbish);
    served.turn();
    EXPECT_EQ(received(client), "<eof>");
    EXPECT_EQ(served.gone, std::vector<ConnectionId>{1});
  }
}

TEST(VarlinkServer, HangsUpOnAMessageOverTheLimit) {
  ServedSocket served;
  const UniqueFd client = served.connect();
  send_text(client, std::string(longest_call_bytes + 1, ' '));
  served.turn();
  EXPECT_EQ(received(client), "<eof>");
}

TEST(VarlinkServer, StillAnswersAClientThatOnlyClosedItsSendingSide) {
  ServedSocket served;
  served.on_call = [&](ConnectionId id, const Call&) { served.server->reply(id, "answer"); };
  const UniqueFd client = served.connect();
  send_text(client, call("GetStatus"));
  ::shutdown(client.value(), SHUT_WR);
  served.turn();
  EXPECT_EQ(received(client), "answer<eof>");
}

TEST(VarlinkServer, NoticesADeadClientWhileItsCallIsHeld) {
  ServedSocket served;
  served.on_call = [&](ConnectionId id, const Call&) { served.server->hold(id); };
  UniqueFd client = served.connect();
  send_text(client, call("GetStatus"));
  auto later = served.loop.add_timer("later", [&] { client.reset(); });
  later->arm(EventLoop::now() + std::chrono::milliseconds(10));
  served.turn();
  EXPECT_EQ(served.gone, std::vector<ConnectionId>{1});
}

TEST(VarlinkServer, AClientThatNeverReadsStallsOnlyItself) {
  ServedSocket served;
  int calls = 0;
  served.on_call = [&](ConnectionId id, const Call&) {
    ++calls;
    served.server->reply(id, std::string(32 * 1024, 'x'));
  };
  const UniqueFd deaf = served.connect();
  std::string flood;
  for (int i = 0; i < 1000; ++i) flood += call("GetStatus");
  (void)::send(deaf.value(), flood.data(), flood.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  served.turn();
  EXPECT_GT(calls, 0);
  EXPECT_LT(calls, 100) << "calls are served although their replies are not read";
  EXPECT_TRUE(served.gone.empty());
}

TEST(VarlinkServer, DropsAWatcherWhoseBacklogGrowsTooLarge) {
  ServedSocket served;
  served.on_call = [&](ConnectionId id, const Call&) {
    served.server->hold(id);
    for (int i = 0; i < 100; ++i) served.server->reply_and_continue(id, std::string(32 * 1024, 'x'));
  };
  const UniqueFd deaf = served.connect();
  send_text(deaf, call("GetStatus"));
  served.turn();
  EXPECT_EQ(served.gone, std::vector<ConnectionId>{1});
}

TEST(VarlinkServer, SaysThatAConnectionIsGoneAfterTheReplyThatFoundOut) {
  ServedSocket served;
  UniqueFd client = served.connect();
  bool replying = false;
  bool gone_inside = false;
  served.on_gone = [&](ConnectionId) { gone_inside = replying; };
  served.on_call = [&](ConnectionId id, const Call&) {
    client.reset();
    replying = true;
    served.server->reply(id, "nobody reads this");
    replying = false;
  };
  send_text(client, call("GetStatus"));
  served.turn();
  EXPECT_EQ(served.gone, std::vector<ConnectionId>{1});
  EXPECT_FALSE(gone_inside);
}

TEST(VarlinkServer, LimitsTheConnectionsOfOneUser) {
  ServedSocket served;
  std::vector<UniqueFd> clients;
  for (int i = 0; i < 8; ++i) clients.push_back(served.connect());
  served.turn();
  EXPECT_EQ(served.server->connections(), 6U);
  EXPECT_EQ(received(clients[7]), "<eof>");
}

TEST(VarlinkServer, CountsRefusedOnewayCallsAndSendsNothing) {
  ServedSocket served;
  const UniqueFd client = served.connect();
  std::string text = R"({"method":"io.sweetspotd.Governor.Nothing","oneway":true})";
  text.push_back('\0');
  send_text(client, text);
  served.turn();
  EXPECT_EQ(served.oneway_refused, 1);
  EXPECT_EQ(received(client), "");
}

}  // namespace
}  // namespace sweetspot::tests
