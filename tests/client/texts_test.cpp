// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/sweetspot/child_process.hpp"
#include "apps/sweetspot/doctor.hpp"
#include "apps/sweetspot/explain.hpp"
#include "apps/sweetspot/run.hpp"
#include "apps/sweetspot/status_text.hpp"
#include "apps/sweetspot/watch_view.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StatusText, ShowsWhatAnOperatorAsks) {
  const std::string text = status_text(tests::sample_status());
  EXPECT_THAT(text, HasSubstr("Service  sweetspotd 0.1.0, pid 812, up 3 h 12 min\n"));
  EXPECT_THAT(text, HasSubstr("Clock    pinned at 612 MHz, now 612 MHz, GPU load 93 %\n"));
  EXPECT_THAT(text, HasSubstr("3 clocks from 306 MHz to 1300.5 MHz, allowed 306 MHz to 1300.5 MHz"));
  EXPECT_THAT(text, HasSubstr("Rails    VDD_GPU_SOC  21.2 W  1.34 kJ  counted\n"));
  EXPECT_THAT(text, HasSubstr("Sampler  every 100 ms, 630 samples so far\n"));
  EXPECT_THAT(text, HasSubstr("Health   well\n"));
  EXPECT_THAT(text, HasSubstr("7   lora  612 MHz  mlg     active  1 min 3 s  1.83 kJ  29.1 W  100 %"));
}

TEST(StatusText, ShowsADashForWhatIsNotKnownNeverAZero) {
  EXPECT_THAT(status_text(tests::sample_status()), HasSubstr("VIN_SYS_5V0  -       -\n"));
}

TEST(StatusText, HoldsForAnEmptyReport) {
  const std::string text = status_text(StatusReport{});
  EXPECT_THAT(text, HasSubstr("unknown board"));
  EXPECT_THAT(text, HasSubstr("not found yet"));
  EXPECT_THAT(text, HasSubstr("Jobs     none"));
}

TEST(StatusText, ListsEveryTroubleWithItsAge) {
  StatusReport report = tests::sample_status();
  report.health = {{"rival", "jtop writes max_freq", seconds(5)}, {"sensor", "1-0040 is silent", seconds(90)}};
  const std::string text = status_text(report);
  EXPECT_THAT(text, HasSubstr("Health   rival: jtop writes max_freq (for 5.0 s)\n"));
  EXPECT_THAT(text, HasSubstr("         sensor: 1-0040 is silent (for 1 min 30 s)\n"));
}

TEST(StatusText, LetsNobodysNameDriveTheTerminal) {
  StatusReport report = tests::sample_status();
  report.jobs[0].name = "\x1b]0;owned\x07";
  EXPECT_THAT(status_text(report), Not(HasSubstr("\x1b")));
}

TEST(AlignedRows, KeepColumnsTogetherAndLeaveNoBlanksAtTheEnd) {
  EXPECT_EQ(aligned({{"a", "bb"}, {"\xc3\xa9\xc3\xa9\xc3\xa9", ""}}, " "), " a    bb\n \xc3\xa9\xc3\xa9\xc3\xa9\n");
}

TEST(WatchView, PutsSamplesOverTheLastStatus) {
  WatchView view;
  view.show(tests::sample_status());
  view.show(
      {.at = {},
       .what = WatchSample{.rails = {{"VDD_GPU_SOC", Watts{33}}}, .gpu_load_percent = 12, .clock = megahertz(306)}},
      {});
  EXPECT_THAT(view.frame(), HasSubstr("VDD_GPU_SOC  33.0 W"));
  EXPECT_THAT(view.frame(), HasSubstr("now 306 MHz, GPU load 12 %"));
}

TEST(WatchView, KeepsTheLastEvents) {
  WatchView view;
  for (int i = 0; i < 20; ++i) view.show({.at = {}, .what = Event{ClockPinned{megahertz(600 + i)}}}, seconds(i));
  EXPECT_THAT(view.frame(), HasSubstr("19.0 s  clock_pinned  619 MHz"));
  EXPECT_THAT(view.frame(), Not(HasSubstr("601 MHz")));
}

TEST(EventLine, SaysWhatHappened) {
  EXPECT_EQ(event_line({.at = {}, .what = Event{JobEnded{tests::sample_record()}}}, seconds(2)).substr(0, 43),
            "2.0 s  job_ended  job 7 (client): 612 MHz, ");
  EXPECT_THAT(event_line({.at = {}, .what = UnknownEvent{"phase_of_moon"}}, {}), HasSubstr("phase_of_moon"));
  EXPECT_THAT(event_line({.at = {}, .what = WatchSample{.rails = {{"VDD_CPU_CV", std::nullopt}}}}, {}),
              HasSubstr("VDD_CPU_CV -"));
}

TEST(Repaint, GoesBackOverTheLastFrameAndCutsToTheTerminal) {
  const Repaint first = repaint("abcdef\nx\n", 0, 3, 24);
  EXPECT_EQ(first.bytes, "abc\x1b[K\nx\x1b[K\n\x1b[J");
  EXPECT_EQ(first.height, 2U);
  EXPECT_EQ(repaint("y\n", 2, 80, 24).bytes, "\x1b[2Fy\x1b[K\n\x1b[J");
  EXPECT_EQ(repaint("1\n2\n3\n4\n", 0, 80, 3).height, 2U);
}

TEST(DecisionText, ShowsClockReasonPathAndNotes) {
  Decision decision = tests::sample_decision();
  decision.clamped_from = megahertz(640);
  EXPECT_EQ(decision_text(decision, {"a note"}),
            "612 MHz (mlg)\n"
            "Why    12 layers, mean length 48\n"
            "Path   layers 12 > 7: right\n"
            "       length 48 <= 53: left\n"
            "Wanted 640 MHz\n"
            "Note   a note\n");
}

TEST(CommandName, IsTheScriptElseTheProgramAndNeverAnArgument) {
  EXPECT_EQ(name_of_command({"/usr/bin/python3", "-u", "src/train.py", "--token", "secret"}), "train.py");
  EXPECT_EQ(name_of_command({"/opt/bin/trainer", "--token", "secret"}), "trainer");
}

TEST(ExecFailure, HasAShellsStatus) {
  EXPECT_EQ(exec_failure_status(ENOENT), 127);
  EXPECT_EQ(exec_failure_status(EACCES), 126);
  EXPECT_EQ(exec_failure_status(ENOEXEC), 126);
}

TEST(DoctorFindings, AreOneLineEachWithTheFixBelow) {
  const std::vector<Finding> findings{{Finding::Verdict::ok, "clocks", "11 clocks", ""},
                                      {Finding::Verdict::warn, "governor", "userspace", "do this"}};
  EXPECT_EQ(findings_text(findings),
            "ok    clocks    11 clocks\n"
            "warn  governor  userspace\n"
            "                fix: do this\n");
}

TEST(DoctorFindings, DecideTheExitCode) {
  const Finding good{Finding::Verdict::ok, "a", "", ""};
  const Finding odd{Finding::Verdict::warn, "b", "", ""};
  const Finding bad{Finding::Verdict::fail, "c", "", ""};
  EXPECT_EQ(doctor_exit_code({good, odd}, true), 0);
  EXPECT_EQ(doctor_exit_code({good, bad}, true), 1);
  EXPECT_EQ(doctor_exit_code({good, bad}, false), 3);
}

}  // namespace
}  // namespace sweetspot
