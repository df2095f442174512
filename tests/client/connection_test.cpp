// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <list>

#include "sweetspot/client/governor_client.hpp"
#include "tests/client/fake_server.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::FakePeer;
using tests::FakeServer;

constexpr Duration patience = seconds(30);  // far more than any answer takes on a loaded machine
constexpr Duration soon = seconds(0.05);    // for what is never answered

const Call status_call{.what = GetStatus{}};

UniqueFd listening_at(const std::string& path, int backlog) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(::bind(fd.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  if (backlog >= 0) {
    EXPECT_EQ(::listen(fd.value(), backlog), 0);
  }
  return fd;
}

TEST(Connection, SaysThatThereIsNoSocketAndHowToStartTheService) {
  const tests::TemporaryFolder folder;
  const auto connection = Connection::open(folder.path() + "/absent", patience);
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, ENOENT);
  EXPECT_THAT(connection.error().message, HasSubstr(folder.path() + "/absent"));
  EXPECT_THAT(connection.error().message, HasSubstr("systemctl start sweetspotd.socket"));
}

TEST(Connection, TellsASocketNobodyListensOnFromAFileThatIsNone) {
  const tests::TemporaryFolder folder;
  const UniqueFd deaf = listening_at(folder.path() + "/deaf", -1);
  EXPECT_EQ(Connection::open(folder.path() + "/deaf", patience).error().code, ECONNREFUSED);

  std::ofstream(folder.path() + "/file") << "text";
  const auto file = Connection::open(folder.path() + "/file", patience);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ENOTSOCK);
}

TEST(Connection, NamesTheGroupAndTheCommandWhenPermissionIsMissing) {
  const std::string text = connect_problem("/run/x", EACCES);
  EXPECT_THAT(text, HasSubstr("sweetspot-users"));
  EXPECT_THAT(text, HasSubstr("sudo usermod -aG sweetspot-users $USER"));
  EXPECT_THAT(text, HasSubstr("log in again"));
}

TEST(Connection, SaysWhichGroupIsMissingWhereTheSocketIsNotForThisUser) {
  const FakeServer server([](FakePeer& peer) { peer.wait_for_hang_up(); });
  ASSERT_EQ(::chmod(server.path().c_str(), 0), 0);
  // Root may connect to anything; nobody may not.
  const bool was_root = ::geteuid() == 0;
  if (was_root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const auto connection = Connection::open(server.path(), patience);
  if (was_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, EACCES);
  EXPECT_THAT(connection.error().message, HasSubstr("sweetspot-users"));
}

TEST(Connection, RefusesAPathThatIsTooLongForASocket) {
  const auto connection = Connection::open("/" + std::string(200, 'x'), patience);
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, ENAMETOOLONG);
}

TEST(Connection, GivesUpWhenTheListenersBacklogStaysFull) {
  const tests::TemporaryFolder folder;
  const UniqueFd listener = listening_at(folder.path() + "/full", 0);
  std::list<Connection> waiting;  // nobody accepts: with these the backlog is full
  Result<Connection> last = failure("none");
  for (int i = 0; i < 4; ++i) {
    last = Connection::open(folder.path() + "/full", soon);
    if (!last) break;
    waiting.push_back(std::move(*last));
  }
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().code, ETIMEDOUT);
}

TEST(Connection, BringsAnAnswer) {
  const FakeServer server([](FakePeer& peer) {
    while (peer.next_call()) peer.send(status_reply(tests::sample_status()));
  });
  auto connection = Connection::open(server.path(), patience);
  ASSERT_TRUE(connection);
  for (int i = 0; i < 3; ++i) {
    const auto reply = connection->call(status_call, patience);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(parse_status(reply->parameters).value(), tests::sample_status());
  }
}

TEST(Connection, BringsAnAnswerThatComesInSinglePieces) {
  const FakeServer server([](FakePeer& peer) {
    peer.next_call();
    for (const char byte : empty_reply()) peer.send({&byte, 1});
    peer.wait_for_hang_up();
  });
  auto connection = Connection::open(server.path(), patience);
  ASSERT_TRUE(connection);
  EXPECT_TRUE(connection->call(status_call, patience));
}

TEST(Connection, GivesARefusalAsAGoodReplyWithItsSentence) {
  const FakeServer server([](FakePeer& peer) {
    peer.next_call();
    peer.send(error_reply(NoSuchJob{9}));
    peer.wait_for_hang_up();
  });
  auto connection = Connection::open(server.path(), patience);
  ASSERT_TRUE(connection);
  const auto reply = connection->call({.what = EndJob{9}}, patience);
  ASSERT_TRUE(reply);
  ASSERT_TRUE(reply->error);
  EXPECT_THAT(reply->error->sentence, HasSubstr("9"));
}

TEST(Connection, TellsAHangUpInTheMiddleOfAReplyFromOneBefore) {
  const FakeServer server([](FakePeer& peer) {
    const bool first_half = peer.next_call()->at("method") == "io.sweetspotd.Governor.GetStatus";
    if (first_half) peer.send("{\"parameters\": {");
    peer.hang_up();
  });
  auto half = Connection::open(server.path(), patience);
  const auto cut = half->call(status_call, patience);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ECONNRESET);
  EXPECT_THAT(cut.error().message, HasSubstr("middle of a reply"));

  auto none = Connection::open(server.path(), patience);
  const auto gone = none->call({.what = EndJob{1}}, patience);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ECONNRESET);
}

TEST(Connection, StopsWaitingForAnAnswerThatDoesNotComeAndClosesForGood) {
  const FakeServer server([](FakePeer& peer) { peer.wait_for_hang_up(); });
  auto connection = Connection::open(server.path(), patience);
  const auto reply = connection->call(status_call, soon);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ETIMEDOUT);
  EXPECT_EQ(connection->fd(), -1);
  EXPECT_EQ(connection->call(status_call, soon).error().code, ENOTCONN);
}

TEST(Connection, DoesNotLetADribblingPeerHoldItForEver) {
  const FakeServer server([](FakePeer& peer) {
    peer.next_call();
    // Ends when the client hangs up: a send to it then fails, and so does the look below.
    char byte = 0;
    while (::recv(peer.fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0) peer.send(" ");
  });
  auto connection = Connection::open(server.path(), patience);
  const auto reply = connection->call(status_call, soon);
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().code, ::testing::AnyOf(ETIMEDOUT, EMSGSIZE));
  connection = failure("closed");
}

TEST(Connection, RefusesRepliesThatAreNotVarlink) {
  for (const std::string& garbage :
       {std::string("not json\0", 9), std::string("[]\0", 3), std::string("\0", 1), std::string("{\"error\":5}\0", 12),
        std::string("\xff\xfe{}\0", 5), std::string("{\"parameters\":\"text\"}\0", 22)}) {
    const FakeServer server([&](FakePeer& peer) {
      peer.next_call();
      peer.send(garbage);
      peer.wait_for_hang_up();
    });
    auto connection = Connection::open(server.path(), patience);
    const auto reply = connection->call(status_call, patience);
    ASSERT_FALSE(reply) << garbage;
    EXPECT_EQ(reply.error().code, EBADMSG) << garbage;
    EXPECT_EQ(connection->fd(), -1);
  }
}

TEST(Connection, RefusesAReplyOverTheLimit) {
  const FakeServer server([](FakePeer& peer) {
    peer.next_call();
    const std::string chunk(1024 * 1024, ' ');
    for (std::size_t sent = 0; sent <= longest_reply_bytes; sent += chunk.size()) peer.send(chunk);
    peer.wait_for_hang_up();
  });
  auto connection = Connection::open(server.path(), patience);
  const auto reply = connection->call(status_call, patience);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, EMSGSIZE);
}

TEST(Connection, DoesNotWaitAfterAOnewayCall) {
  const FakeServer server([](FakePeer& peer) { peer.wait_for_hang_up(); });
  auto connection = Connection::open(server.path(), patience);
  EXPECT_TRUE(connection->call({.what = ReportProgress{.job_id = 7, .steps = 1}, .oneway = true}, soon));
}

TEST(Connection, SaysThatNothingIsHereYetWithoutWaiting) {
  const FakeServer server([](FakePeer& peer) { peer.wait_for_hang_up(); });
  auto connection = Connection::open(server.path(), patience);
  const auto reply = connection->receive_now();
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->has_value());
}

}  // namespace
}  // namespace sweetspot
