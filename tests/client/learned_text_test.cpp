// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/learned_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/sweetspot/status_text.hpp"
#include "apps/sweetspot/watch_view.hpp"
#include "samples.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

MeasuredClock at(std::optional<Hertz> clock, double joules, double uncertainty = 0.01) {
  return {clock, joules, 0.25, uncertainty, 40};
}

TEST(MeasuredText, HasThreeDigitsAndItsUncertainty) {
  EXPECT_EQ(measured_text(at(megahertz(612), 9.874, 0.0082)), "9.87 J/step +- 0.8 %, 0.250 s/step");
  EXPECT_EQ(measured_text(at(megahertz(612), 1234)), "1234 J/step +- 1.0 %, 0.250 s/step");
}

TEST(CurveText, DrawsEveryClockOnOneScaleAndMarksThePresentOne) {
  const std::string text = curve_text(
      {at(megahertz(510), 10, 0), at(megahertz(612), 8, 0), at(megahertz(816), 12, 0.5)}, megahertz(612), "");
  EXPECT_EQ(text,
            "510 MHz  10.0 J/step  |        *                |\n"
            "612 MHz  8.00 J/step  |    *                    |  <\n"
            "816 MHz  12.0 J/step  |------------*------------|\n");
}

TEST(CurveText, HoldsForOneClockAndForNone) {
  EXPECT_EQ(curve_text({}, megahertz(612), ""), "");
  EXPECT_EQ(curve_text({at(megahertz(612), 8, 0)}, megahertz(612), "  "),
            "  612 MHz  8.00 J/step  |*                        |  <\n");
}

TEST(CurveText, NamesTheClockThatIsNotPinned) {
  EXPECT_THAT(curve_text({at(std::nullopt, 8)}, std::nullopt, ""), HasSubstr("no pin  8.00 J/step"));
}

TEST(StatusText, ShowsWhatAdaptiveMeasuredUnderItsJob) {
  StatusReport report = tests::sample_status();
  EXPECT_THAT(status_text(report), Not(HasSubstr("J/step")));
  report.jobs[0].decision.reason = "stays at 612 MHz";
  report.jobs[0].measured = {at(megahertz(612), 8.5), at(megahertz(714), 9.5)};
  EXPECT_THAT(status_text(report), HasSubstr("job 7: stays at 612 MHz\n"));
  EXPECT_THAT(status_text(report), HasSubstr("714 MHz  9.50 J/step"));
}

TEST(EventLine, TellsWhatAdaptiveMeasuresAndWhereItMoves) {
  const Decision decision{.policy = "adaptive", .frequency = megahertz(612)};
  const WatchEvent measured{{}, Event(JobMeasured{7, decision, {at(megahertz(714), 9.5), at(megahertz(612), 8.5)}})};
  EXPECT_THAT(event_line(measured, {}), HasSubstr("job 7: 612 MHz (adaptive): 8.50 J/step +- 1.0 %"));
  const WatchEvent moved{{}, Event(JobMoved{7, decision, megahertz(714), {}})};
  EXPECT_THAT(event_line(moved, {}), HasSubstr("job_moved  job 7: 612 MHz (adaptive), from 714 MHz"));
}

}  // namespace
}  // namespace sweetspot
