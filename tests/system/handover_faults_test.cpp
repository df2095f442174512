// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sweetspot/platform/sealed_memory.hpp"
#include "tests/system/handover_scene.hpp"

// What can go wrong between two daemons: clients and leases that end, a state that cannot be read, a store that is too
// small, a mark of nobody's.
namespace sweetspot::tests {
namespace {

using HandOverFaults = HandOverTest;
using Ids = std::vector<std::int64_t>;

constexpr const char* state_name = "handover-state";
constexpr std::size_t any_size = 64 * 1024 * 1024;

/// The state in the manager's store, as JSON.
json stored_state(const FakeSystemd& manager) {
  for (const auto& stored : manager.store()) {
    if (stored.name == state_name) return json::parse(read_sealed_memory(stored.fd, any_size).value());
  }
  return nullptr;
}

void replace_state(FakeSystemd& manager, const std::string& text) {
  const auto memory = make_sealed_memory("state of a test", text);
  ASSERT_TRUE(memory);
  manager.replace(state_name, memory->value());
}

TEST_F(HandOverFaults, AClientThatDiedInBetweenHasLostItsJob) {
  Times times;
  for (int i = 0; i < 5; ++i) {
    ChildProcess client(body_with_job(daemon(), job_at(mhz(612), {{"name", "orphan"}})));
    ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
    (void)end_for("restart");
    client.kill();
    client.reap();
    const std::size_t said_before = daemon().said().size();
    manager().set_job("start");
    daemon().launch();
    ASSERT_TRUE(eventually([&] { return daemon().said().find("goes on with", said_before) != std::string::npos; }));
    const auto begin = Clock::now();
    ASSERT_TRUE(limits_become(untouched));
    times.add(Clock::now() - begin);
    EXPECT_TRUE(eventually([&] { return running_jobs().empty(); }));
  }
  EXPECT_LE(milliseconds(times.shortest()), 50.0 * slowness) << "median " << milliseconds(times.middle());
  EXPECT_TRUE(said("lost")) << daemon().said();
}

TEST_F(HandOverFaults, ALeaseThatEndsInBetweenHasExpired) {
  auto client = daemon().connect();
  (void)pinned_job(client, {{"lease_s", 1}});
  (void)end_for("restart");
  ASSERT_EQ(limits_of(board()), pinned_to(mhz(612)));
  ::poll(nullptr, 0, 1100);
  start_again();
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(eventually([&] { return running_jobs().empty(); }));
  EXPECT_TRUE(said("expired")) << daemon().said();
  EXPECT_NO_THROW((void)client.ask("GetStatus")) << "the connection has outlived its job";
}

TEST_F(HandOverFaults, AJobWhoseSocketTheManagerLostHasEndedAsLost) {
  auto client = daemon().connect();
  auto other = daemon().connect();
  (void)pinned_job(client);
  const auto kept = pinned_job(other);
  (void)end_for("restart");
  manager().drop("handover-connection-1");
  start_again();
  EXPECT_TRUE(eventually([&] { return running_jobs() == Ids{kept}; }));
  EXPECT_TRUE(client.hung_up());
  EXPECT_TRUE(said("did not outlive the restart")) << daemon().said();
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
}

TEST_F(HandOverFaults, AProcessWhosePidfdTheManagerLostIsFoundAgain) {
  ChildProcess process([] { return std::string("lives"); });
  ASSERT_EQ(process.word(), "lives");
  (void)daemon().connect().ask("StartJob", job_at(mhz(612), {{"pid", process.pid()}}));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  (void)end_for("restart");
  manager().drop("handover-process-1");
  start_again();
  EXPECT_EQ(running_jobs(), Ids{1});
  process.kill();
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(HandOverFaults, AStateWithFieldsOfANewerDaemonIsRead) {
  auto client = daemon().connect();
  const auto id = pinned_job(client);
  (void)end_for("restart");
  json state = stored_state(manager());
  state["of_a_newer_daemon"] = {{"shiny", true}};
  state.at("jobs").at(0)["colour"] = "blue";
  replace_state(manager(), state.dump());
  start_again();
  EXPECT_EQ(client.ask("EndJob", end_of(id)).at("record").at("ended_by"), "client");
}

TEST_F(HandOverFaults, AStateThatCannotBeReadRestoresTheClockAndEndsTheJobsAsLost) {
  const std::vector<std::pair<std::function<std::string(json)>, std::string>> unreadable{
      {[](json state) { return (state["version"] = 2, state.dump()); }, "version 2"},
      {[](json state) { return (state["boot_id"] = "another", state.dump()); }, "another boot"},
      {[](json state) { return (state["next_id"] = 1, state.dump()); }, "never given"},
      {[](const json&) { return std::string("{\"format\": \"sweetspot-ha"); }, "not JSON"},
      {[](const json&) { return std::string(); }, "not JSON"}};
  for (const auto& [spoil, words] : unreadable) {
    auto client = daemon().connect();
    (void)pinned_job(client, {{"name", "of the day before"}});
    (void)end_for("restart");
    replace_state(manager(), spoil(stored_state(manager())));
    const std::size_t said_before = daemon().said().size();
    start_again();
    const std::string told = daemon().said().substr(said_before);
    EXPECT_NE(told.find(words), std::string::npos) << told;
    EXPECT_NE(told.find("of the day before"), std::string::npos) << told;
    EXPECT_TRUE(limits_become(untouched)) << words;
    EXPECT_TRUE(client.hung_up()) << words;
    EXPECT_TRUE(eventually([&] { return manager().stored_names().empty(); })) << words;
  }
}

TEST_F(HandOverFaults, AStateThatSomebodyCouldStillChangeIsRefused) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  (void)end_for("restart");
  const std::string text = stored_state(manager()).dump();
  const int open = ::memfd_create("not sealed", MFD_CLOEXEC);
  ASSERT_EQ(::write(open, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  manager().replace(state_name, open);
  ::close(open);
  start_again();
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(said("not sealed")) << daemon().said();
}

TEST_F(HandOverFaults, JobsThatFindNoPlaceInTheStoreEndWithARecordThatSaysSo) {
  manage(3);  // a connection, its process, the state
  auto first = daemon().connect();
  auto second = daemon().connect();
  const auto kept = pinned_job(first);
  (void)pinned_job(second);
  Watcher watcher(daemon());
  restart();
  const json ended = watcher.next("job_ended");
  ASSERT_FALSE(ended.is_null());
  EXPECT_EQ(ended.at("record").at("ended_by"), "interrupted");
  EXPECT_EQ(running_jobs(), Ids{kept});
  EXPECT_TRUE(said("FileDescriptorStoreMax=")) << daemon().said();
}

TEST_F(HandOverFaults, AManagerThatKeepsNothingMakesTheRestartAStop) {
  manage(0);
  auto client = daemon().connect();
  (void)pinned_job(client);
  Watcher watcher(daemon());
  (void)end_for("restart");
  EXPECT_EQ(watcher.next("job_ended").at("record").at("ended_by"), "interrupted");
  EXPECT_EQ(limits_of(board()), untouched);
}

TEST_F(HandOverFaults, AFolderThatTakesNoMarkMakesTheRestartAStop) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  std::filesystem::create_directories(daemon().runtime_dir() + "/handed-over/in the way");
  (void)end_for("restart");
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_TRUE(eventually([&] { return manager().stored_names().empty(); })) << "nothing is left of it";
  EXPECT_TRUE(said("cannot be handed over")) << daemon().said();
}

TEST_F(HandOverFaults, AMarkOfAnotherBootOrOfNobodyDoesNotKeepTheClock) {
  for (const char* text : {"boot_id=another\n", "", "boot_id="}) {
    auto client = daemon().connect();
    (void)pinned_job(client);
    daemon().kill();
    std::ofstream(daemon().runtime_dir() + "/handed-over") << text;
    manager().set_job("restart");
    EXPECT_EQ(daemon().restore().status, 0);
    EXPECT_EQ(limits_of(board()), untouched) << "mark '" << text << "'";
    EXPECT_FALSE(std::filesystem::exists(daemon().runtime_dir() + "/handed-over"));
    start_again();
  }
}

TEST_F(HandOverFaults, ACrashAfterARestartKeepsNothingOfIt) {
  auto client = daemon().connect();
  (void)pinned_job(client);
  restart();
  daemon().kill();
  EXPECT_EQ(daemon().restore().status, 0);
  EXPECT_EQ(limits_of(board()), untouched);
  start_again();
  EXPECT_EQ(running_jobs(), Ids{});
  EXPECT_TRUE(client.hung_up());
}

}  // namespace
}  // namespace sweetspot::tests
