// SPDX-License-Identifier: Apache-2.0
#include "tests/system/scene.hpp"

// The daemon dies without a word: the next start or `sweetspotd --restore` gives the clock back.
namespace sweetspot::tests {
namespace {

using Crash = SystemTest;

TEST_F(Crash, TheNextStartRestoresTheClockAndSaysWhichJobsWereLost) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612), {{"name", "lora of today"}}));
  const json ended = client.ask("StartJob", job_at(mhz(510), {{"name", "a finished one"}}));
  client.ask("EndJob", {{"job_id", ended.at("job_id")}});
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon.kill();
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
  const std::size_t said_before = daemon.said().size();
  daemon.start();
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_TRUE(eventually([&] { return !daemon.has_saved_clock(); }));
  const std::string said = daemon.said().substr(said_before);
  EXPECT_NE(said.find("lora of today"), std::string::npos) << said;
  EXPECT_EQ(said.find("a finished one"), std::string::npos) << said;
  EXPECT_TRUE(daemon.status().at("jobs").empty());

  EXPECT_EQ(daemon.terminate(), 0);
  const std::size_t said_then = daemon.said().size();
  daemon.start();
  EXPECT_EQ(daemon.said().substr(said_then).find("lora of today"), std::string::npos) << "said once";
}

TEST_F(Crash, TheNextStartIsNotReadyBeforeTheClockIsRestored) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon.kill();
  board().control("block min_freq read 0.3");
  const auto begin = Clock::now();
  daemon.start();
  const bool within_its_patience = Clock::now() - begin < std::chrono::milliseconds(900);
  if (within_its_patience) {
    EXPECT_EQ(limits_of(board()), untouched);
  }
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(Crash, RestoreGivesTheClockBackOnceAndMayBeRepeated) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon.kill();
  EXPECT_EQ(daemon.restore().status, 0);
  EXPECT_EQ(limits_of(board()), untouched);
  board().control("writes clear");
  for (int i = 0; i < 3; ++i) {
    const ProgramEnd again = daemon.restore();
    EXPECT_EQ(again.status, 0) << again.said;
    EXPECT_NE(again.said.find("nothing to restore"), std::string::npos) << again.said;
  }
  EXPECT_TRUE(board().writes().empty());
}

TEST_F(Crash, RestoreRefusesWhileADaemonLivesAndNamesIt) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  const ProgramEnd refused = daemon.restore();
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.said.find(std::to_string(daemon.pid())), std::string::npos) << refused.said;
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(612)));
}

TEST_F(Crash, ASecondDaemonOnTheSameFolderRefusesToStart) {
  const RunningDaemon daemon(board().root());
  const ProgramEnd second = daemon.run({});
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.said.find(std::to_string(daemon.pid())), std::string::npos) << second.said;
  EXPECT_NO_THROW((void)daemon.status());
}

TEST_F(Crash, RestoreWithNothingEverPinnedIsNoError) {
  RunningDaemon daemon(board().root());
  daemon.kill();
  EXPECT_EQ(daemon.restore().status, 0);
  EXPECT_TRUE(board().writes().empty());
}

TEST_F(Crash, RestoreSaysThatTheNodeIsGoneAndLooksAgainWhenItIsBack) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon.kill();
  board().control("gpu vanish");
  const ProgramEnd early = daemon.restore();
  EXPECT_EQ(early.status, 0) << "its limits went with it: nothing is left to be done";
  EXPECT_NE(early.said.find("gone"), std::string::npos) << early.said;
  EXPECT_TRUE(daemon.has_saved_clock()) << "until it is seen that they did";
  board().control("gpu appear");
  EXPECT_EQ(daemon.restore().status, 0);
  EXPECT_EQ(limits_of(board()), untouched);
  EXPECT_FALSE(daemon.has_saved_clock());
}

TEST_F(Crash, ADamagedSavedClockIsReportedAndNothingIsWritten) {
  RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon.kill();
  ASSERT_EQ(::truncate((daemon.runtime_dir() + "/saved-clock").c_str(), 40), 0);
  board().control("writes clear");
  const ProgramEnd refused = daemon.restore();
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.said.find("saved-clock"), std::string::npos) << refused.said;
  EXPECT_TRUE(board().writes().empty());
}

}  // namespace
}  // namespace sweetspot::tests
