// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "places.hpp"
#include "support/simulated_board.hpp"
#include "sweetspot/platform/discovery_text.hpp"
#include "tests/client/program_run.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::ProgramRun;
using tests::RunningDaemon;
using tests::TemporaryFolder;

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<std::string> quiet{"--no-sensor-noise"};

/// A board is mounted, recorded, played from the recording, and recorded again.
class RecordedAndPlayed : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  }
  void record(const SimulatedBoard& board, const std::string& name) const {
    ProgramRun run({SWEETSPOT_PROGRAM, "record-board", "-o", archive(name), "--sysfs-root", board.root()});
    ASSERT_EQ(run.finish(), 0) << run.err();
  }
  [[nodiscard]] std::string archive(const std::string& name) const { return folder_.path() + "/" + name + ".tar"; }

  TemporaryFolder folder_;
};
using EveryBoard = RecordedAndPlayed;
INSTANTIATE_TEST_SUITE_P(Boards, EveryBoard,
                         ::testing::Values("agx-orin-64-jp5", "agx-orin-64-jp6", "agx-orin-64-jp7", "agx-orin-32-jp6",
                                           "orin-nx-16-jp6", "orin-nano-super-jp6", "agx-xavier-jp4", "nano-jp4",
                                           "agx-thor-jp7"),
                         [](const auto& board) {
                           std::string name = board.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(EveryBoard, IsTheSameAfterwardsToTheLastByte) {
  std::string discovered;
  {
    const SimulatedBoard original(GetParam(), quiet);
    record(original, "first");
    discovered = discovery_text(FileAttributes(original.root()));
  }
  const SimulatedBoard played(archive("first"), quiet);
  record(played, "second");
  EXPECT_EQ(discovery_text(FileAttributes(played.root())), discovered);
  EXPECT_EQ(bytes(archive("first")), bytes(archive("second")));
}

TEST_F(RecordedAndPlayed, LimitsOfAPowerModeAndAPinArePlayedAsFound) {
  {
    const SimulatedBoard original("agx-orin-64-jp6", {"--no-sensor-noise", "--mode", "3"});
    ASSERT_EQ(original.write(original.gpu("min_freq"), "612000000"), 0);
    record(original, "first");
  }
  const SimulatedBoard played(archive("first"), quiet);
  EXPECT_EQ(played.read(played.gpu("min_freq")), "612000000");
  EXPECT_EQ(played.read(played.gpu("max_freq")), "816000000");
}

TEST_F(RecordedAndPlayed, TheDaemonGovernsAPlayedBoard) {
  {
    const SimulatedBoard original("orin-nx-16-jp6", quiet);
    record(original, "first");
  }
  const SimulatedBoard played(archive("first"), {"--time-scale", "50"});
  const RunningDaemon daemon(played.root());
  ProgramRun run(
      {SWEETSPOT_PROGRAM, "--socket", daemon.socket(), "run", "--freq", "510MHz", "--", "tail", "-f", "/dev/null"});
  EXPECT_TRUE(tests::eventually([&] { return played.read(played.gpu("min_freq")) == "510000000"; }));
  run.signal(SIGTERM);
  EXPECT_EQ(run.finish(), 143) << run.err();
  EXPECT_THAT(run.err(), HasSubstr("VDD_CPU_GPU_CV"));
}

TEST_F(RecordedAndPlayed, TheSimulatorSaysWhereItsPhysicsComeFrom) {
  {
    const SimulatedBoard original;
    record(original, "first");
  }
  ProgramRun refused({SWEETSPOT_SIM_PROGRAM, "mount", "--board", archive("first"), "/nonexistent"});
  EXPECT_EQ(refused.finish(), 3);
  EXPECT_THAT(refused.err(), HasSubstr("draws power as agx-orin-64-jp6, the nearest board known"));
}

}  // namespace
}  // namespace sweetspot
