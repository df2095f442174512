// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/system/scene.hpp"

// Whatever a client does to the socket, it harms only itself.
namespace sweetspot::tests {
namespace {

using std::string_literals::operator""s;

class HostileClients : public SystemTest {
 protected:
  void SetUp() override {
    SystemTest::SetUp();
    if (IsSkipped()) return;
    daemon_ = std::make_unique<RunningDaemon>(board().root(), DaemonSetup{.config = config()});
  }
  [[nodiscard]] virtual std::string config() const { return "{}"; }
  [[nodiscard]] RunningDaemon& daemon() { return *daemon_; }

  /// Another client's GetStatus while the hostile one is at it: usually quick, never stuck.
  void expect_bystander_served() {
    auto client = daemon().connect();
    Times times;
    for (int i = 0; i < 15; ++i) {
      const auto begin = Clock::now();
      (void)client.ask("GetStatus");
      times.add(Clock::now() - begin);
    }
    EXPECT_LE(milliseconds(times.middle()), 100 * slowness);
    EXPECT_LE(milliseconds(times.longest()), 2000 * slowness);
  }

  [[nodiscard]] long resident_kib() {
    std::ifstream file("/proc/" + std::to_string(daemon().pid()) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6));
    }
    return -1;
  }

  [[nodiscard]] bool connections_become(int count) {
    return eventually([&] { return daemon().status().at("connections") == count + 1; });
  }

 private:
  std::unique_ptr<RunningDaemon> daemon_;
};

std::string start_with(const std::string& spec) {
  return R"({"method":"io.sweetspotd.Governor.StartJob","parameters":{"spec":)" + spec + "}}" + '\0';
}

TEST_F(HostileClients, WhatIsNoMessageIsHungUpAndWhatIsNoCallIsRefused) {
  const std::vector<std::string> messages{
      "\0"s,
      "[]\0"s,
      "GET / HTTP/1.1\r\n\r\n\0"s,
      std::string(65000, '[') + '\0',
      R"({"method":"io.sweetspotd.Governor.StartJob","parameters":{"spec":)" + std::string(500, '[') + "\0"s,
      start_with(R"({"tags":)" + std::string(300, '{') + "}"),
      start_with(R"({"mean_sequence_length":NaN})"),
      start_with(R"({"mean_sequence_length":Infinity})"),
      start_with(R"({"mean_sequence_length":1e999})"),
      start_with(R"({"lease_s":-1})"),
      start_with(R"({"layers":1,"layers":2})"),
      start_with("{\"name\":\"\xff\xfe\"}"),
      start_with("{\"name\":\"\xed\xa0\x80\"}"),
      start_with(R"({"name":")" + std::string(60000, 'x') + "\"}"),
      start_with(R"({"pid":1e3})"),
      start_with(R"({"pid":-1})"),
      start_with(R"({"pid":999999999})"),
      start_with(R"({"frequency_hz":-612000000,"policy":"fixed"})"),
      start_with(R"({"policy":"fixed"})"),
      start_with("null"),
      R"({"method":"io.sweetspotd.Governor.EndJob","parameters":{"job_id":9223372036854775808}})"s + '\0',
      R"({"method":"io.sweetspotd.Governor.Watch","parameters":{}})"s + '\0',
      R"({"method":"io.sweetspotd.Governor.Format","parameters":{}})"s + '\0',
      R"({"method":"io.example.Other.Call","parameters":{}})"s + '\0',
      R"({"method":7})"s + '\0'};
  for (const std::string& message : messages) {
    auto client = daemon().connect();
    (void)client.send_bytes(message);
    const auto reply = client.receive();
    if (reply) {
      EXPECT_TRUE(reply->contains("error")) << message.substr(0, 120) << " -> " << *reply;
    } else {
      EXPECT_TRUE(client.hung_up()) << message.substr(0, 120);
    }
  }
  EXPECT_TRUE(daemon().status().at("jobs").empty());
  EXPECT_TRUE(connections_become(0));
  expect_bystander_served();
}

TEST_F(HostileClients, AMessageThatNeverEndsIsHungUp) {
  for (const std::size_t size : {std::size_t{64 * 1024}, std::size_t{64 * 1024 + 1}, std::size_t{4 * 1024 * 1024}}) {
    auto client = daemon().connect();
    (void)client.send_bytes(std::string(size, 'x'), std::chrono::seconds(1));
    (void)client.send_bytes("x");
    EXPECT_TRUE(client.hung_up()) << size;
  }
  EXPECT_TRUE(connections_become(0));
}

TEST_F(HostileClients, HalfAMessageWaitsWithoutHarmAndGoesWithItsConnection) {
  std::vector<VarlinkTestClient> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(daemon().connect());
    ASSERT_TRUE(clients.back().send_bytes(R"({"method":"io.sweetspotd.Governor.Get)"));
  }
  ASSERT_TRUE(connections_become(50));
  expect_bystander_served();
  ASSERT_TRUE(clients.front().send_bytes(R"(Status"})" + "\0"s));
  EXPECT_TRUE(clients.front().receive().has_value());
  clients.clear();
  EXPECT_TRUE(connections_become(0));
}

TEST_F(HostileClients, ManyMessagesInOnePacketAreAllAnsweredInOrder) {
  auto client = daemon().connect();
  constexpr int count = 600;
  std::string packet;
  for (int i = 0; i < count; ++i)
    packet +=
        R"({"method":"io.sweetspotd.Governor.EndJob","parameters":{"job_id":)" + std::to_string(1000 + i) + "}}" + '\0';
  ASSERT_LT(packet.size(), 64U * 1024);
  ASSERT_TRUE(client.send_bytes(packet));
  for (int i = 0; i < count; ++i) {
    const auto reply = client.receive();
    ASSERT_TRUE(reply.has_value()) << i;
    ASSERT_EQ(reply->at("parameters").at("job_id"), 1000 + i);
  }
}

TEST_F(HostileClients, BytesOneByOneMakeTheSameMessage) {
  auto client = daemon().connect();
  for (const char byte : R"({"method":"org.varlink.service.GetInfo"})"s + '\0')
    ASSERT_TRUE(client.send_bytes(std::string_view(&byte, 1)));
  EXPECT_EQ(client.receive().value().at("parameters").at("product"), "sweetspotd");
}

TEST_F(HostileClients, AClientThatNeverReadsFillsOnlyItsOwnSocket) {
  const long before = resident_kib();
  std::vector<VarlinkTestClient> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(daemon().connect());
    std::string calls;
    for (int n = 0; n < 500; ++n) calls += R"({"method":"io.sweetspotd.Governor.GetStatus"})" + "\0"s;
    // Until the socket takes no more: the daemon has stopped reading, because nobody reads what it says.
    while (clients.back().send_bytes(calls, std::chrono::milliseconds(200))) {
    }
  }
  expect_bystander_served();
  EXPECT_LE(resident_kib() - before, slowness == 1 ? 4096 : 256 * 1024) << "KiB";  // sanitizers keep freed memory back
  clients.clear();
  EXPECT_TRUE(connections_become(0));
}

TEST_F(HostileClients, AFloodOfCallsLeavesOthersServed) {
  std::vector<std::unique_ptr<ChildProcess>> floods;
  for (int i = 0; i < 3; ++i) {
    floods.push_back(std::make_unique<ChildProcess>([socket = daemon().socket()] {
      VarlinkTestClient client(socket);
      std::string calls;
      for (int n = 0; n < 200; ++n)
        calls +=
            R"({"method":"io.sweetspotd.Governor.ReportProgress","parameters":{"job_id":7,"steps":1},"oneway":true})" +
            "\0"s;
      while (client.send_bytes(calls)) {
      }
      return std::string();
    }));
  }
  ASSERT_TRUE(eventually([&] { return daemon().status().at("oneway_errors") > 1000; }));
  expect_bystander_served();
}

TEST_F(HostileClients, AStormOfConnectionsLeavesOthersServed) {
  for (int i = 0; i < 2000; ++i) {
    auto client = daemon().connect();
    if (i % 3 == 0) (void)client.send_bytes(R"({"method":"io.sweetspotd.Governor.GetStatus"})" + "\0"s);
    if (i % 3 == 1) (void)client.send_bytes("{");
  }
  expect_bystander_served();
  EXPECT_TRUE(connections_become(0));
}

TEST_F(HostileClients, AClientThatClosedItsSendingSideStillGetsItsRepliesAndThenItsJobEnds) {
  Watcher watcher(daemon());
  auto client = daemon().connect();
  ASSERT_TRUE(client.send_call("StartJob", job_at(mhz(612))));
  ASSERT_TRUE(client.send_call("GetStatus"));
  client.finish_sending();
  EXPECT_TRUE(client.receive().value().at("parameters").contains("job_id"));
  EXPECT_EQ(client.receive().value().at("parameters").at("jobs").size(), 1U);
  EXPECT_TRUE(client.hung_up());
  EXPECT_EQ(watcher.next("job_ended").at("record").at("ended_by"), "lost");
  EXPECT_TRUE(limits_become(untouched));
}

class SmallBacklog : public HostileClients {
 protected:
  [[nodiscard]] std::string config() const override {
    return R"({"limits": {"reply_backlog_bytes": 65536, "shortest_watch_period_ms": 5}})";
  }
};

TEST_F(SmallBacklog, AWatcherThatNeverReadsIsDropped) {
  auto watcher = daemon().connect();
  ASSERT_TRUE(watcher.send_call("Watch", {{"period_ms", 5}}, {{"more", true}}));
  auto client = daemon().connect();
  ASSERT_TRUE(eventually([&] { return client.ask("GetStatus").at("watchers") == 1; }));
  ASSERT_TRUE(eventually([&] {
    const json job = client.ask("StartJob", {{"spec", {{"policy", "none"}, {"name", std::string(200, 'x')}}}});
    client.ask("EndJob", {{"job_id", job.at("job_id")}});
    return client.ask("GetStatus").at("watchers") == 0;
  }));
  EXPECT_TRUE(watcher.hung_up());
}

class Quotas : public HostileClients {
 protected:
  [[nodiscard]] std::string config() const override {
    return R"({"limits": {"jobs_per_uid": 3, "connections": 12, "connections_per_uid": 8, "watchers_per_uid": 2}})";
  }
};

TEST_F(Quotas, JobsOfOneUserAreCountedOverAllItsConnections) {
  auto first = daemon().connect();
  auto second = daemon().connect();
  const json job = first.ask("StartJob", job_at(mhz(510)));
  second.ask("StartJob", job_at(mhz(510)));
  second.ask("StartJob", job_at(mhz(510)));
  const json refused = first.call("StartJob", job_at(mhz(816)));
  EXPECT_EQ(refused.at("error"), "io.sweetspotd.Governor.TooManyJobs");
  EXPECT_EQ(refused.at("parameters").at("limit"), 3);
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(510)));
  first.ask("EndJob", {{"job_id", job.at("job_id")}});
  EXPECT_FALSE(first.call("StartJob", job_at(mhz(510))).contains("error"));
}

TEST_F(Quotas, ConnectionsBeyondTheLimitAreHungUpAndFreedOnesServed) {
  std::vector<VarlinkTestClient> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(daemon().connect());
    (void)clients.back().ask("GetStatus");
  }
  auto refused = daemon().connect();
  EXPECT_TRUE(refused.hung_up());
  (void)clients.front().ask("GetStatus");
  clients.pop_back();
  EXPECT_TRUE(eventually([&] {
    auto next = daemon().connect();
    return next.send_call("GetStatus") && next.receive().has_value();
  }));
}

TEST_F(Quotas, WatchersBeyondTheLimitAreToldSo) {
  const Watcher first(daemon());
  const Watcher second(daemon());
  auto third = daemon().connect();
  third.send_call("Watch", json::object(), {{"more", true}});
  EXPECT_EQ(third.receive().value().at("error"), "io.sweetspotd.Governor.Busy");
}

TEST_F(Quotas, OneUsersJobsNeitherFillAnothersQuotaNorCanBeEndedByIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to be another user";
  ::chmod(daemon().socket().c_str(), 0666);
  const auto as_nobody = [&](const std::string& method, const json& parameters) {
    ChildProcess other([&, socket = daemon().socket()] {
      constexpr uid_t nobody = 65534;
      if (::setresgid(nobody, nobody, nobody) != 0 || ::setresuid(nobody, nobody, nobody) != 0)
        return std::string("uid");
      VarlinkTestClient client(socket);
      return client.call(method, parameters).dump();
    });
    return json::parse(other.word());
  };
  auto root = daemon().connect();
  const json job = root.ask("StartJob", job_at(mhz(510)));
  for (int i = 0; i < 2; ++i) root.ask("StartJob", job_at(mhz(510)));
  EXPECT_EQ(as_nobody("EndJob", {{"job_id", job.at("job_id")}}).at("error"), "io.sweetspotd.Governor.NotYourJob");
  EXPECT_EQ(as_nobody("ReportProgress", {{"job_id", job.at("job_id")}, {"steps", 1}}).at("error"),
            "io.sweetspotd.Governor.NotYourJob");
  EXPECT_EQ(as_nobody("StartJob", job_at(mhz(510), {{"pid", ::getpid()}})).at("error"),
            "io.sweetspotd.Governor.InvalidSpec");
  EXPECT_TRUE(as_nobody("StartJob", job_at(mhz(510))).at("parameters").contains("job_id"));
  EXPECT_TRUE(eventually([&] { return daemon().status().at("jobs").size() == 3; }));
}

}  // namespace
}  // namespace sweetspot::tests
