// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "apps/sweetspot/sweep.hpp"
#include "apps/sweetspot/sweep_text.hpp"

namespace sweetspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

StatusReport orin() {
  StatusReport status;
  status.board.model = "NVIDIA Jetson AGX Orin Developer Kit";
  status.power_mode = "MAXN";
  status.gpu.node = "17000000.gpu";
  for (const double mhz : {306.0, 408.0, 510.0, 612.0, 714.0, 816.0, 918.0, 1020.0, 1122.0, 1224.0, 1300.5})
    status.gpu.available.push_back(megahertz(mhz));
  status.gpu.max = megahertz(1300.5);
  status.rails = {{.name = "VDD_GPU_SOC"}, {.name = "VDD_CPU_CV"}};
  return status;
}

std::vector<Hertz> clocks(const std::vector<std::string>& asked, const StatusReport& status = orin()) {
  return clocks_to_sweep(asked, status.gpu).value_or(std::vector<Hertz>{});
}

TEST(ClocksToSweep, AreAllUnlessNamed) {
  EXPECT_EQ(clocks({}), orin().gpu.available);
  EXPECT_EQ(clocks({"all"}), orin().gpu.available);
}

TEST(ClocksToSweep, EndAtTheLimitThatIsInForce) {
  StatusReport capped = orin();
  capped.gpu.max = megahertz(510);
  EXPECT_THAT(clocks({}, capped), ElementsAre(megahertz(306), megahertz(408), megahertz(510)));
  const auto refused = clocks_to_sweep({"612MHz"}, capped.gpu);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, EINVAL);
  EXPECT_THAT(refused.error().message, HasSubstr("612 MHz lies above the board's present limit of 510 MHz"));
}

TEST(ClocksToSweep, TakeRoundedClocksForTheBoardsAndEachOnce) {
  EXPECT_THAT(clocks({"1300MHz", "612MHz", "1300.5MHz"}), ElementsAre(megahertz(1300.5), megahertz(612)));
}

TEST(ClocksToSweep, RefuseWhatTheBoardDoesNotHave) {
  EXPECT_EQ(clocks_to_sweep({"600MHz"}, orin().gpu).error().code, EINVAL);
  EXPECT_EQ(clocks_to_sweep({"fast"}, orin().gpu).error().code, EINVAL);
}

TEST(SweptCurve, IsNamedAfterBoardJobAndPowerMode) {
  JobSpec job;
  job.name = "BERT base/QNLI, second try";
  const SweepCurve curve = curve_of(job, orin(), {"python3", "train.py"}, "here");
  EXPECT_EQ(curve.id, "agx-orin-64-bert-base-qnli-second-try-maxn");
  EXPECT_EQ(curve.platform, "agx-orin-64");
  EXPECT_THAT(curve.rails, ElementsAre("VDD_GPU_SOC", "VDD_CPU_CV"));
}

TEST(SweptCurve, IsNamedAfterTheScriptWithoutAName) {
  EXPECT_EQ(curve_of({}, orin(), {"python3", "train.py"}, "here").job.name, "train.py");
}

TEST(SweptCurve, TellsCommandsApartWithoutShowingThem) {
  const auto command = [](const std::vector<std::string>& words) {
    return curve_of({}, orin(), words, "here").command;
  };
  EXPECT_EQ(command({"train", "--token=secret"}), command({"train", "--token=secret"}));
  EXPECT_NE(command({"train", "a b"}), command({"train", "a", "b"}));
  EXPECT_THAT(command({"train", "--token=secret"}), ::testing::Not(HasSubstr("secret")));
}

TEST(SweptCurve, OfABoardThatIsNotKnownHasItsModelsName) {
  StatusReport status = orin();
  status.gpu.available = {megahertz(100), megahertz(200)};
  status.board.model = "Somebody's Board (rev. 2)";
  EXPECT_EQ(platform_of(status), "somebody-s-board-rev.-2");
}

TEST(SweepProgressLine, ShowsHowFarASweepIs) {
  EXPECT_EQ(progress_line({.done = 5, .runs = 10, .left_s = 90, .what = "612 MHz: settling"}, 0),
            "[==========>         ] 5/10  612 MHz: settling, about 1 min 30 s left");
  EXPECT_EQ(progress_line({.done = 10, .runs = 10}, 0), "[====================] 10/10");
}

TEST(SweepProgressLine, IsNoWiderThanTheTerminal) {
  EXPECT_EQ(progress_line({.done = 0, .runs = 3, .what = "612 MHz: running for 10 s"}, 30).size(), 30U);
}

TEST(SweepPlanText, SaysWhatIsNotKnown) {
  SweepReport report{.curve_id = "c", .output = "f.csv", .runs = 2, .complete = 1};
  report.missing = {{.clock = megahertz(612), .repeat = 2}};
  const std::string text = plan_text(report, 12, megahertz(1300.5));
  EXPECT_THAT(text, HasSubstr("c in f.csv: 2 runs, 1 complete\n  1. 612 MHz, repeat 2\n"));
  EXPECT_THAT(text, HasSubstr("pauses alone take 12.0 s. --run-time says how long one run takes at 1300.5 MHz"));
}

}  // namespace
}  // namespace sweetspot
