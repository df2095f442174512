// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <functional>

#include "service/varlink_server.hpp"
#include "sweetspot/wire/replies.hpp"

// A connection that one server carries to another.
namespace sweetspot::tests {
namespace {

constexpr std::string_view get_info = R"({"method":"org.varlink.service.GetInfo"})";

/// A server without a listening socket that anybody knows: its connections are adopted.
struct Server {
  Server() : loop(*EventLoop::create()) {
    UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    server = VarlinkServer::create(loop, std::move(listener), {.backlog_bytes = 1024 * 1024},
                                   {.call = [this](ConnectionId id, const Peer&, const Call& one) { on_call(id, one); },
                                    .oneway_refused = [] {},
                                    .gone = [this](ConnectionId id) { gone.push_back(id); }})
                 .value();
  }
  /// Turns the loop for a moment. Once per test: an ended sd-event does not start again.
  void turn() {
    auto stop = loop.add_timer("end of turn", [this] { loop.stop(0); });
    stop->arm(EventLoop::now() + std::chrono::milliseconds(30));
    (void)loop.run();
  }
  EventLoop loop;
  std::function<void(ConnectionId, const Call&)> on_call = [this](ConnectionId id, const Call&) {
    ++calls;
    server->reply(id, empty_reply());
  };
  int calls = 0;
  std::vector<ConnectionId> gone;
  std::unique_ptr<VarlinkServer> server;
};

struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    client.reset(ends[0]);
    ours.reset(ends[1]);
  }
  void say(std::string_view text) const {
    ASSERT_EQ(::send(client.value(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] std::string heard() const {
    std::array<char, 4096> bytes{};
    const ssize_t size = ::recv(client.value(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return size > 0 ? std::string(bytes.data(), static_cast<std::size_t>(size)) : std::string();
  }
  UniqueFd client;
  UniqueFd ours;
};

std::string whole(std::string_view text) {
  return std::string(text) + '\0';
}

TEST(VarlinkCarry, AFrozenServerReadsNothingMoreAndKeepsWhatItHasRead) {
  Server server;
  Pair pair;
  const auto id = server.server->adopt(std::move(pair.ours), {.received = std::string(get_info.substr(0, 9))});
  ASSERT_TRUE(id);
  server.server->freeze();
  pair.say(whole(get_info.substr(9)));
  server.turn();
  EXPECT_EQ(server.calls, 0);
  const auto carried = server.server->carried(*id);
  ASSERT_TRUE(carried);
  EXPECT_EQ(carried->received, get_info.substr(0, 9));
  EXPECT_TRUE(carried->unsent.empty());
}

TEST(VarlinkCarry, AFrozenServerStillSendsTheReplyThatIsOwed) {
  Server server;
  Pair pair;
  const auto id = server.server->adopt(std::move(pair.ours), {});
  server.server->hold(*id);
  server.server->freeze();
  server.server->reply(*id, whole("{}"));
  EXPECT_EQ(pair.heard(), whole("{}"));
}

TEST(VarlinkCarry, AFrozenServerDoesNotHearAHangUpThatSomebodyElseWill) {
  Server server;
  Pair pair;
  const auto id = server.server->adopt(std::move(pair.ours), {});
  server.server->freeze();
  pair.say(whole(get_info));
  pair.client.reset();
  server.turn();
  EXPECT_TRUE(server.gone.empty());
  EXPECT_TRUE(server.server->carried(*id));
}

TEST(VarlinkCarry, HalfACallIsCompletedByWhatComesAfterwards) {
  Server server;
  Pair pair;
  ASSERT_TRUE(server.server->adopt(std::move(pair.ours), {.received = std::string(get_info.substr(0, 20))}));
  pair.say(whole(get_info.substr(20)));
  server.turn();
  EXPECT_EQ(server.calls, 1);
  EXPECT_EQ(pair.heard(), empty_reply());
}

TEST(VarlinkCarry, WholeCallsThatWereReadAreServedWithoutANewByte) {
  Server server;
  Pair pair;
  ASSERT_TRUE(server.server->adopt(std::move(pair.ours), {.received = whole(get_info) + whole(get_info)}));
  server.turn();
  EXPECT_EQ(server.calls, 2);
}

TEST(VarlinkCarry, UnsentBytesGoOutBeforeTheNextReply) {
  Server server;
  Pair pair;
  ASSERT_TRUE(
      server.server->adopt(std::move(pair.ours), {.received = whole(get_info), .unsent = whole("half of a reply")}));
  server.turn();
  EXPECT_EQ(pair.heard(), whole("half of a reply") + empty_reply());
}

TEST(VarlinkCarry, APeerThatHungUpMeanwhileIsServedWhatItSentAndThenGone) {
  Server server;
  Pair pair;
  pair.say(whole(get_info));
  pair.client.reset();
  const auto id = server.server->adopt(std::move(pair.ours), {});
  ASSERT_TRUE(id);
  server.turn();
  EXPECT_EQ(server.calls, 1);
  EXPECT_EQ(server.gone, std::vector<ConnectionId>{*id});
}

TEST(VarlinkCarry, APeerThatHadFinishedSendingGetsItsReplyAndTheEnd) {
  Server server;
  Pair pair;
  ASSERT_TRUE(server.server->adopt(std::move(pair.ours), {.unsent = whole("a reply"), .peer_done_sending = true}));
  server.turn();
  EXPECT_EQ(pair.heard(), whole("a reply"));
  EXPECT_EQ(server.gone.size(), 1u);
}

}  // namespace
}  // namespace sweetspot::tests
