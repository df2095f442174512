// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "tests/system/scene.hpp"

// SIGHUP: a good configuration applies, a bad one changes nothing and is named.
namespace sweetspot::tests {
namespace {

using Reload = SystemTest;

std::uint64_t ffg_clock(const RunningDaemon& daemon) {
  return daemon.connect().ask("Explain", {{"spec", {{"policy", "ffg"}}}}).at("decision").at("frequency_hz");
}

TEST_F(Reload, ABadConfigurationLeavesTheOldOneAndIsReportedWithItsPath) {
  const RunningDaemon daemon(board().root(), {.config = R"({"ffg_clock": "510MHz"})"});
  auto client = daemon.connect();
  client.ask("StartJob", {{"spec", {{"policy", "ffg"}}}});
  ASSERT_TRUE(limits_become(pinned_to(mhz(510))));
  for (const char* bad : {R"({"second_stage": {"settle_s": -1}, "ffg_clock": "816MHz"})",
                          R"({"second_stage": {"settle_s": "long"}})", R"({"second_stage": {"settle_s": 1)"}) {
    daemon.configure(bad);
    daemon.signal(SIGHUP);
    ASSERT_TRUE(health_becomes(daemon, "config")) << bad;
    daemon.configure(R"({"ffg_clock": "510MHz"})");  // the next bad one begins in good health
    daemon.signal(SIGHUP);
    ASSERT_TRUE(eventually([&] { return daemon.health().count("config") == 0; })) << bad;
  }
  daemon.configure(R"({"second_stage": {"settle_s": -1}})");
  daemon.signal(SIGHUP);
  EXPECT_TRUE(eventually([&] { return daemon.health()["config"].find("second_stage.settle_s") != std::string::npos; }))
      << daemon.health()["config"];
  EXPECT_EQ(ffg_clock(daemon), mhz(510));
  EXPECT_EQ(limits_of(board()), pinned_to(mhz(510)));
  EXPECT_EQ(daemon.status().at("jobs").size(), 1U);
}

TEST_F(Reload, AnUnknownKeyIsNamed) {
  const RunningDaemon daemon(board().root());
  daemon.configure(R"({"clock": {"chekc_s": 2}})");
  daemon.signal(SIGHUP);
  ASSERT_TRUE(health_becomes(daemon, "config"));
  EXPECT_NE(daemon.health()["config"].find("clock.chekc_s"), std::string::npos) << daemon.health()["config"];
}

TEST_F(Reload, AGoodConfigurationAppliesAndClearsTheTrouble) {
  const RunningDaemon daemon(board().root());
  daemon.configure("nonsense");
  daemon.signal(SIGHUP);
  ASSERT_TRUE(health_becomes(daemon, "config"));
  daemon.configure(R"({"ffg_clock": "816MHz", "arbitration": "lowest"})");
  daemon.signal(SIGHUP);
  ASSERT_TRUE(health_loses(daemon, "config"));
  EXPECT_EQ(ffg_clock(daemon), mhz(816));
  EXPECT_EQ(daemon.status().at("settings").at("arbitration"), "lowest");
}

TEST_F(Reload, ArbitrationAppliesToRunningJobs) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  client.ask("StartJob", job_at(mhz(510)));
  client.ask("StartJob", job_at(mhz(816)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(816))));
  daemon.configure(R"({"arbitration": "lowest"})");
  daemon.signal(SIGHUP);
  EXPECT_TRUE(limits_become(pinned_to(mhz(510))));
}

TEST_F(Reload, TheStyleOfThePinAppliesToARunningJobAndTheEndRestoresAllOfIt) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  daemon.configure(R"({"pin_style": "cap"})");
  daemon.signal(SIGHUP);
  EXPECT_TRUE(limits_become({mhz(306), mhz(612)}));
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(Reload, AFileThatIsGoneIsReportedAndTheDaemonGoesOn) {
  const RunningDaemon daemon(board().root(), {.config = R"({"ffg_clock": "510MHz"})"});
  ASSERT_EQ(::unlink(daemon.config_path().c_str()), 0);
  daemon.signal(SIGHUP);
  ASSERT_TRUE(health_becomes(daemon, "config"));
  EXPECT_EQ(ffg_clock(daemon), mhz(510));
}

}  // namespace
}  // namespace sweetspot::tests
