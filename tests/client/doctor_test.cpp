// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "apps/sweetspot/doctor_board.hpp"
#include "apps/sweetspot/doctor_clock_test.hpp"
#include "apps/sweetspot/doctor_daemon.hpp"
#include "sweetspot/platform/runtime_lock.hpp"
#include "sweetspot/platform/saved_clock.hpp"
#include "tests/client/board_tree.hpp"
#include "tests/client/fake_server.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::BoardTree;
using tests::FakeDaemon;
using tests::TemporaryFolder;
using Verdict = Finding::Verdict;

Finding found(const std::vector<Finding>& findings, const std::string& check) {
  for (const Finding& finding : findings) {
    if (finding.check == check) return finding;
  }
  ADD_FAILURE() << "no finding on " << check;
  return {};
}

std::vector<Finding> board_of(const BoardTree& tree, const std::optional<StatusReport>& daemon = std::nullopt) {
  return board_findings(FileAttributes(tree.root()), daemon).findings;
}

/// A runtime folder of the test's own, private as the service's is.
struct RuntimeFolder {
  RuntimeFolder() { ::chmod(folder.path().c_str(), 0700); }
  [[nodiscard]] const std::string& path() const { return folder.path(); }
  TemporaryFolder folder;
};

Finding test_clock_on(const BoardTree& tree, const std::string& runtime_dir) {
  FileAttributes board(tree.root());
  const auto gpu = find_gpu(board, identify_board(board));
  if (!gpu) {
    ADD_FAILURE() << gpu.error().message;
    return {};
  }
  return clock_test(board, *gpu, runtime_dir);
}

TEST(DoctorBoard, FindsAHealthyBoardInOrder) {
  const BoardTree tree;
  const auto findings = board_of(tree);
  for (const Finding& finding : findings) EXPECT_EQ(finding.verdict, Verdict::ok) << finding.check << finding.detail;
  EXPECT_THAT(found(findings, "board").detail, HasSubstr("tegra234"));
  EXPECT_EQ(found(findings, "clocks").detail, "7 clocks, 306 MHz to 918 MHz");
  EXPECT_EQ(found(findings, "gpu load").detail, "42.5 % now");
  EXPECT_THAT(found(findings, "rail").detail, HasSubstr("VDD_GPU_SOC at 1-0040, 20.0 W now"));
  EXPECT_EQ(found(findings, "rails counted").detail, "VDD_GPU_SOC + VDD_CPU_CV");
  EXPECT_THAT(found(findings, "rails left out").detail, HasSubstr("NC"));
}

TEST(DoctorBoard, SaysWhatItLookedAtWhereThereIsNoGpuNode) {
  const BoardTree tree;
  tree.remove("/sys/class/devfreq");
  const BoardFindings seen = board_findings(FileAttributes(tree.root()), std::nullopt);
  EXPECT_FALSE(seen.gpu);
  const Finding node = found(seen.findings, "gpu node");
  EXPECT_EQ(node.verdict, Verdict::fail);
  EXPECT_THAT(node.detail, HasSubstr("/sys/class/devfreq"));
  EXPECT_FALSE(node.fix.empty());
  EXPECT_EQ(found(seen.findings, "rails counted").verdict, Verdict::ok);
}

TEST(DoctorBoard, WarnsOfAChangedGovernorWithTheCommandThatBringsItBack) {
  const BoardTree tree;
  tree.write(BoardTree::node + "/governor", "performance");
  const Finding governor = found(board_of(tree), "governor");
  EXPECT_EQ(governor.verdict, Verdict::warn);
  EXPECT_THAT(governor.fix, HasSubstr("nvhost_podgov"));
}

TEST(DoctorBoard, TellsWhatJetsonClocksLeftFromAPinOfTheService) {
  const BoardTree tree;
  tree.write(BoardTree::node + "/min_freq", "918000000");
  const Finding alone = found(board_of(tree), "limits");
  EXPECT_EQ(alone.verdict, Verdict::warn);
  EXPECT_THAT(alone.fix, HasSubstr("jetson_clocks --restore"));
  EXPECT_EQ(found(board_of(tree, tests::sample_status()), "limits").verdict, Verdict::ok);
}

TEST(DoctorBoard, WarnsThatEnergyIsNotMeasuredWithoutRails) {
  const BoardTree tree;
  tree.remove("/sys/bus");
  EXPECT_EQ(found(board_of(tree), "rails").verdict, Verdict::warn);
}

TEST(DoctorBoard, WarnsThatTheSecondStageIsOffWithoutALoadFile) {
  const BoardTree tree;
  tree.remove(BoardTree::device + "/load");
  const Finding load = found(board_of(tree), "gpu load");
  EXPECT_EQ(load.verdict, Verdict::warn);
  EXPECT_THAT(load.detail, HasSubstr("second stage"));
}

TEST(DoctorBoard, NamesACoolingDeviceThatLowersTheLimits) {
  const BoardTree tree;
  tree.write("/sys/class/thermal/cooling_device1/type", "devfreq-17000000.gpu");
  tree.write("/sys/class/thermal/cooling_device1/cur_state", "3");
  const Finding limits = found(board_of(tree), "limits");
  EXPECT_EQ(limits.verdict, Verdict::warn);
  EXPECT_THAT(limits.detail, HasSubstr("devfreq-17000000.gpu"));
}

TEST(DoctorClockTest, WritesReadsBackAndRestores) {
  const BoardTree tree;
  const RuntimeFolder runtime;
  const Finding outcome = test_clock_on(tree, runtime.path());
  EXPECT_EQ(outcome.verdict, Verdict::ok) << outcome.detail;
  EXPECT_THAT(outcome.detail, HasSubstr("wrote 816 MHz"));
  EXPECT_EQ(tree.read(BoardTree::node + "/min_freq"), "306000000");
  EXPECT_EQ(tree.read(BoardTree::node + "/max_freq"), "918000000");
  EXPECT_FALSE(SavedClockStore(runtime.path()).load().value());
}

ClockTestFacts idle_facts() {
  return {.load_percent = 0, .daemon = std::nullopt, .node = BoardTree::node};
}

/// The service with nothing to do.
StatusReport idle_status() {
  StatusReport status = tests::sample_status();
  status.jobs.clear();
  status.clock = {.condition = "released"};
  status.gpu.node = BoardTree::node;
  return status;
}

TEST(NoClockTest, IsAskedForOnAnIdleBoardWithOrWithoutAService) {
  ClockTestFacts facts = idle_facts();
  EXPECT_FALSE(no_clock_test(facts));
  facts.load_percent = std::nullopt;
  EXPECT_FALSE(no_clock_test(facts));
  facts.daemon = idle_status();
  EXPECT_FALSE(no_clock_test(facts));
}

TEST(NoClockTest, LeavesTheClockToAServiceWithAJobAndGivesItsWord) {
  ClockTestFacts facts = idle_facts();
  facts.daemon = tests::sample_status();
  const auto pinned = no_clock_test(facts);
  ASSERT_TRUE(pinned);
  EXPECT_EQ(pinned->verdict, Verdict::skip);
  EXPECT_THAT(pinned->detail, HasSubstr("pinned at 612 MHz"));
  facts.daemon->clock.condition = "gave_up";
  EXPECT_EQ(no_clock_test(facts)->verdict, Verdict::fail);
  EXPECT_FALSE(no_clock_test(facts)->fix.empty());
}

TEST(NoClockTest, LeavesAPinAloneWhoseJobIsNotSeen) {
  ClockTestFacts facts = idle_facts();
  facts.daemon = idle_status();
  facts.daemon->clock.goal = megahertz(612);
  EXPECT_EQ(no_clock_test(facts)->verdict, Verdict::skip);
}

TEST(NoClockTest, SaysWhyItIsLeftOut) {
  const auto reason = [](auto change) {
    ClockTestFacts facts = idle_facts();
    change(facts);
    const auto finding = no_clock_test(facts);
    return finding ? std::string(name_of(finding->verdict)) + ": " + finding->detail : std::string();
  };
  EXPECT_EQ(reason([](ClockTestFacts& facts) { facts.wanted = false; }), "skip: not wanted (--no-write)");
  EXPECT_THAT(reason([](ClockTestFacts& facts) { facts.kernel_files = false; }), HasSubstr("skip: this is a copy"));
  EXPECT_THAT(reason([](ClockTestFacts& facts) { facts.load_percent = 93; }),
              HasSubstr("skip: the GPU is busy (93 %)"));
  EXPECT_THAT(reason([](ClockTestFacts& facts) { facts.limits_may_hang = true; }), HasSubstr("reported to hang"));
  EXPECT_THAT(reason([](ClockTestFacts& facts) {
                facts.daemon = idle_status();
                facts.daemon->gpu.node = std::nullopt;
              }),
              HasSubstr("another node: none"));
}

TEST(NoClockTest, TakesPlainFilesForTheCopyTheyAre) {
  const BoardTree tree;
  const FileAttributes board(tree.root());
  const auto gpu = find_gpu(board, identify_board(board));
  ASSERT_TRUE(gpu);
  const ClockTestFacts facts = clock_test_facts(board, *gpu, std::nullopt);
  EXPECT_FALSE(facts.kernel_files);
  EXPECT_EQ(facts.load_percent, 42.5);
}

TEST(DoctorClockTest, TouchesNothingWhileAnotherProcessHoldsTheLock) {
  const BoardTree tree;
  const RuntimeFolder runtime;
  const auto lock = RuntimeLock::acquire(runtime.path());
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_EQ(test_clock_on(tree, runtime.path()).verdict, Verdict::skip);
  EXPECT_EQ(found(runtime_findings(runtime.path()), "lock").verdict, Verdict::ok);
}

TEST(DoctorClockTest, TouchesNothingWhileAPinOfADeadServiceIsLeft) {
  const BoardTree tree;
  const RuntimeFolder runtime;
  const SavedClockStore store(runtime.path());
  ASSERT_TRUE(store.save({.boot_id = store.boot_id(),
                          .node = BoardTree::node,
                          .found = {megahertz(306), megahertz(918)},
                          .last_target = megahertz(612),
                          .next_target = std::nullopt,
                          .power_mode = std::nullopt,
                          .style = PinStyle::exact,
                          .governor = "nvhost_podgov"}));
  EXPECT_EQ(test_clock_on(tree, runtime.path()).verdict, Verdict::skip);
  const Finding saved = found(runtime_findings(runtime.path()), "saved clock");
  EXPECT_EQ(saved.verdict, Verdict::warn);
  EXPECT_THAT(saved.fix, HasSubstr("sweetspotd --restore"));
}

TEST(DoctorDaemon, TakesAServiceThatDoesNotRunAsAWarningWithItsCommand) {
  const TemporaryFolder folder;
  const DaemonFindings seen = daemon_findings(folder.path() + "/absent");
  const Finding service = found(seen.findings, "service");
  EXPECT_EQ(service.verdict, Verdict::warn);
  EXPECT_THAT(service.fix, HasSubstr("systemctl"));
  EXPECT_FALSE(seen.status);
}

TEST(DoctorDaemon, PassesOnWhatTheServiceSuffersFrom) {
  FakeDaemon daemon;
  StatusReport status = tests::sample_status();
  status.health = {{"rival", "jtop writes max_freq", seconds(5)}};
  daemon.answer("GetStatus", [&](tests::FakePeer& peer, const nlohmann::json&) { peer.send(status_reply(status)); });
  const DaemonFindings seen = daemon_findings(daemon.path());
  EXPECT_EQ(found(seen.findings, "service").verdict, Verdict::ok);
  EXPECT_THAT(found(seen.findings, "service: rival").detail, HasSubstr("jtop writes max_freq"));
  EXPECT_FALSE(found(seen.findings, "service: rival").fix.empty());
  EXPECT_TRUE(seen.status);
}

TEST(DoctorDaemon, WarnsOfAServiceOfAnotherVersion) {
  FakeDaemon daemon;
  StatusReport status = tests::sample_status();
  status.version = "0.0.7";
  daemon.answer("GetStatus", [&](tests::FakePeer& peer, const nlohmann::json&) { peer.send(status_reply(status)); });
  const Finding version = found(daemon_findings(daemon.path()).findings, "version");
  EXPECT_EQ(version.verdict, Verdict::warn);
  EXPECT_THAT(version.detail, HasSubstr("0.0.7"));
  EXPECT_THAT(version.fix, HasSubstr("systemctl restart"));
}

TEST(DoctorDaemon, FailsAServiceThatTalksNonsense) {
  FakeDaemon daemon;
  daemon.answer("GetStatus",
                [](tests::FakePeer& peer, const nlohmann::json&) { peer.send(std::string("nonsense\0", 9)); });
  EXPECT_EQ(found(daemon_findings(daemon.path()).findings, "service").verdict, Verdict::fail);
}

}  // namespace
}  // namespace sweetspot
