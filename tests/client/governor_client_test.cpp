// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/governor_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "sweetspot/client/event_stream.hpp"
#include "sweetspot/client/socket_path.hpp"
#include "tests/client/fake_server.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using tests::FakeDaemon;
using tests::FakePeer;

constexpr ClientTimeouts patient{.connect = seconds(30), .call = seconds(30), .end_job = seconds(30)};

JobSpec some_spec() {
  JobSpec spec;
  spec.layers = 12;
  spec.mean_sequence_length = 48.5;
  spec.lease_s = 60;
  return spec;
}

std::string description(const std::string& text) {
  return nlohmann::json{{"parameters", {{"description", text}}}}.dump() + '\0';
}

TEST(GovernorClient, StartsAndEndsAJob) {
  const FakeDaemon daemon;
  auto client = GovernorClient::connect(daemon.path(), patient);
  ASSERT_TRUE(client);
  const auto started = client->start_job(some_spec());
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(started->reply, tests::sample_start_reply());
  EXPECT_THAT(started->left_out, SizeIs(0));
  const auto record = client->end_job(7);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->energy, tests::sample_record().energy);
  EXPECT_EQ(daemon.calls("StartJob").at(0).at("spec").at("layers"), 12);
  EXPECT_EQ(daemon.calls("EndJob").at(0).at("job_id"), 7);
}

TEST(GovernorClient, AsksForTheInterfaceOncePerConnection) {
  const FakeDaemon daemon;
  auto client = GovernorClient::connect(daemon.path(), patient);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(client->explain(some_spec()));
  EXPECT_TRUE(client->start_job(some_spec()));
  EXPECT_THAT(daemon.calls("GetInterfaceDescription"), SizeIs(1));
}

TEST(GovernorClient, LeavesOutWhatAnOlderDaemonDoesNotKnowAndSaysSo) {
  FakeDaemon daemon;
  daemon.answer("GetInterfaceDescription", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(
        description("interface io.sweetspotd.Governor\n"
                    "type JobSpec (name: ?string, layers: ?int, mean_sequence_length: ?float)\n"
                    "method StartJob(spec: JobSpec) -> (job_id: int)\n"));
  });
  auto client = GovernorClient::connect(daemon.path(), patient);
  const auto started = client->start_job(some_spec());
  ASSERT_TRUE(started);
  EXPECT_THAT(started->left_out, ElementsAre("lease_s"));
  const auto sent = daemon.calls("StartJob").at(0).at("spec");
  EXPECT_FALSE(sent.contains("lease_s"));
  EXPECT_EQ(sent.at("layers"), 12);
}

TEST(GovernorClient, SendsEverythingToADaemonThatCannotDescribeItself) {
  FakeDaemon daemon;
  daemon.answer("GetInterfaceDescription", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(error_reply(CallProblem{.what = MethodNotFound{"GetInterfaceDescription"}, .method = ""}));
  });
  auto client = GovernorClient::connect(daemon.path(), patient);
  ASSERT_TRUE(client->start_job(some_spec()));
  EXPECT_TRUE(daemon.calls("StartJob").at(0).at("spec").contains("lease_s"));
}

TEST(GovernorClient, TurnsARefusalIntoAnErrorWithoutACodeAndGoesOn) {
  FakeDaemon daemon;
  daemon.answer("StartJob", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(error_reply(TooManyJobs{.limit = 64, .whose = "uid 1000"}));
  });
  auto client = GovernorClient::connect(daemon.path(), patient);
  const auto started = client->start_job(some_spec());
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("64"));
  EXPECT_EQ(started.error().code, 0);
  EXPECT_TRUE(client->status());
}

TEST(GovernorClient, SaysWhoseReplyLacksSomething) {
  FakeDaemon daemon;
  daemon.answer("EndJob", [](FakePeer& peer, const nlohmann::json&) { peer.send(empty_reply()); });
  auto client = GovernorClient::connect(daemon.path(), patient);
  const auto record = client->end_job(7);
  ASSERT_FALSE(record);
  EXPECT_THAT(record.error().message, HasSubstr("EndJob"));
}

TEST(GovernorClient, ReportsProgressWithoutWaiting) {
  const FakeDaemon daemon;
  auto client = GovernorClient::connect(daemon.path(), patient);
  ASSERT_TRUE(client->report_progress(7, 100));
  ASSERT_TRUE(client->status());  // behind it on the same connection
  const auto calls = daemon.calls("ReportProgress");
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(calls[0].at("steps"), 100);
}

TEST(EventStream, DeliversEventsUntilTheDaemonHangsUp) {
  FakeDaemon daemon;
  daemon.answer("Watch", [](FakePeer& peer, const nlohmann::json& parameters) {
    EXPECT_EQ(parameters.at("period_ms"), 250);
    for (int i = 0; i < 3; ++i)
      peer.send(watch_event_reply({.at = seconds(i), .what = Event{ClockPinned{megahertz(612)}}}));
    peer.hang_up();
  });
  auto stream = EventStream::open(daemon.path(), 250, patient.connect);
  ASSERT_TRUE(stream);
  int seen = 0;
  Result<std::optional<std::string>> next = std::nullopt;
  const Instant deadline = std::chrono::steady_clock::now() + seconds(30);
  while ((next = stream->next_now()) && std::chrono::steady_clock::now() < deadline) {
    if (!*next) continue;
    ++seen;
    EXPECT_EQ(kind_of(parse_watch_event(**next).value()), "clock_pinned");
  }
  EXPECT_EQ(seen, 3);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code, ECONNRESET);
}

TEST(EventStream, GivesTheDaemonsRefusal) {
  FakeDaemon daemon;
  daemon.answer("Watch", [](FakePeer& peer, const nlohmann::json&) {
    peer.send(error_reply(Busy{"16 watchers already"}));
    peer.wait_for_hang_up();
  });
  auto stream = EventStream::open(daemon.path(), std::nullopt, patient.connect);
  ASSERT_TRUE(stream);
  Result<std::optional<std::string>> next = std::nullopt;
  const Instant deadline = std::chrono::steady_clock::now() + seconds(30);
  while ((next = stream->next_now()) && std::chrono::steady_clock::now() < deadline) {
  }
  ASSERT_FALSE(next);
  EXPECT_THAT(next.error().message, HasSubstr("16 watchers already"));
}

TEST(SocketPath, IsTheOneGivenElseTheEnvironmentsElseTheDefault) {
  ::setenv("SWEETSPOT_SOCKET", "/from/environment", 1);
  EXPECT_EQ(socket_path("/given"), "/given");
  EXPECT_EQ(socket_path(""), "/from/environment");
  ::setenv("SWEETSPOT_SOCKET", "", 1);
  EXPECT_EQ(socket_path(""), "/run/sweetspotd/io.sweetspotd.Governor");
  ::unsetenv("SWEETSPOT_SOCKET");
  EXPECT_EQ(socket_path(""), "/run/sweetspotd/io.sweetspotd.Governor");
}

}  // namespace
}  // namespace sweetspot
