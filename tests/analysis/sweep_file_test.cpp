// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/sweep_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweetspot/analysis/curve_file.hpp"

namespace sweetspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SweepCurve orin_curve() {
  SweepCurve curve{.id = "agx-orin-64-bert-maxn",
                   .platform = "agx-orin-64",
                   .power_mode = "MAXN",
                   .source = "test",
                   .command = "fnv1a64:0123456789abcdef",
                   .rails = {"VDD_GPU_SOC", "VDD_CPU_CV"}};
  curve.job.name = "bert, \"base\"";
  curve.job.layers = 12;
  curve.job.mean_sequence_length = 51.5;
  curve.job.total_steps = 410;
  return curve;
}

/// The record of a run that held 612 MHz and did all its steps.
EnergyRecord good_record() {
  EnergyRecord record;
  record.applied = megahertz(612);
  record.share_at_clock = 0.998;
  record.duration = seconds(20);
  record.steps = 410;
  record.rails = {{"VDD_GPU_SOC", Joules{400}, Watts{20}}, {"VDD_CPU_CV", Joules{40}, Watts{2}}};
  record.energy = Joules{440};
  record.rails_counted = {"VDD_GPU_SOC", "VDD_CPU_CV"};
  record.mean_power = Watts{22};
  record.coverage = 1;
  record.energy_valid = true;
  record.gpu_load_mean = 87.5;
  record.shared_with = 1;
  record.power_mode = "MAXN";
  return record;
}

constexpr SweepPoint at_612{megahertz(612), 1};

SweepRow row_with(const EnergyRecord& record, int exit_status = 0) {
  return row_of(orin_curve(), at_612, {.record = record, .exit_status = exit_status, .own_jobs = 1});
}

std::string file_of(const std::vector<SweepRow>& rows) {
  std::string text = sweep_head(orin_curve());
  for (const SweepRow& row : rows) text += sweep_line(orin_curve(), row);
  return text;
}

TEST(SweepRow, OfAGoodRunIsValidAndHasItsFigures) {
  const SweepRow row = row_with(good_record());
  EXPECT_TRUE(row.valid) << row.reason;
  EXPECT_EQ(row.energy_j, 440);
  EXPECT_EQ(row.time_s, 20);
  EXPECT_EQ(row.steps, 410);
  EXPECT_EQ(row.held, megahertz(612));
  EXPECT_THAT(row.rail_j, ElementsAre(400, 40));
  EXPECT_EQ(row.energy_scope, "VDD_GPU_SOC+VDD_CPU_CV");
}

TEST(SweepRow, SaysWhyARunDoesNotCount) {
  struct Case {
    void (*change)(EnergyRecord&);
    const char* reason;
  };
  const Case cases[] = {
      {[](EnergyRecord& r) { r.steps = 400; }, "the command did 400 of 410 steps"},
      {[](EnergyRecord& r) { r.ended_by = EndedBy::interrupted; }, "the job was ended early (interrupted)"},
      {[](EnergyRecord& r) { r.energy.reset(); }, "the energy was not measured"},
      {[](EnergyRecord& r) { r.energy_valid = false, r.coverage = 0.501; }, "only 50 % of the time was measured"},
      {[](EnergyRecord& r) { r.shared_with = 2; }, "another job ran at the same time"},
      {[](EnergyRecord& r) { r.power_mode = "MODE_30W"; }, "the power mode became MODE_30W"},
      {[](EnergyRecord& r) { r.applied.reset(); }, "the clock was never held"},
      {[](EnergyRecord& r) { r.applied = megahertz(408); }, "held 408 MHz instead"},
      {[](EnergyRecord& r) { r.share_at_clock = 0.949; }, "the clock was held for 94 % of the time only"},
  };
  for (const Case& each : cases) {
    EnergyRecord record = good_record();
    each.change(record);
    const SweepRow row = row_with(record);
    EXPECT_FALSE(row.valid) << each.reason;
    EXPECT_EQ(row.reason, each.reason);
  }
}

TEST(SweepRow, OfACommandThatFailedDoesNotCountAndSaysHowItEnded) {
  EXPECT_EQ(row_with(good_record(), 3).reason, "the command failed with status 3");
  EXPECT_EQ(row_with(good_record(), 137).reason, "the command died of signal 9");
}

TEST(SweepRow, KeepsTheClockThatWasHeldInsteadOfTheOneAskedFor) {
  EnergyRecord capped = good_record();
  capped.applied = megahertz(408);
  const SweepRow row = row_with(capped);
  EXPECT_EQ(row.point.clock, megahertz(612));
  EXPECT_EQ(row.held, megahertz(408));
}

TEST(SweepRow, OfTheBaselineNeedsNoClock) {
  EnergyRecord record = good_record();
  record.applied.reset();
  record.share_at_clock.reset();
  EXPECT_TRUE(row_of(orin_curve(), {}, {.record = record, .own_jobs = 1}).valid);
}

TEST(SweepRow, CountsOnTheRailsThatTheFirstRunCountedOn) {
  SweepCurve curve = orin_curve();
  curve.energy_scope = "VIN_SYS_5V0";
  EXPECT_EQ(row_of(curve, at_612, {.record = good_record(), .own_jobs = 1}).reason,
            "counted on VDD_GPU_SOC+VDD_CPU_CV instead of VIN_SYS_5V0");
}

TEST(SweepFile, IsReadAsMeasuredCurvesWithoutTheRunsThatDoNotCount) {
  SweepRow failed = row_with(good_record(), 1);
  SweepRow baseline = row_of(orin_curve(), {}, {.record = good_record(), .own_jobs = 1});
  const auto curves = parse_curves(file_of({row_with(good_record()), failed, baseline}));
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_EQ(curves->size(), 1U);
  const Curve& curve = curves->front();
  EXPECT_EQ(curve.workload, "bert, \"base\"");
  EXPECT_EQ(curve.layers, 12);
  EXPECT_EQ(curve.mean_sequence_length, 51.5);
  EXPECT_EQ(curve.energy_scope, "VDD_GPU_SOC+VDD_CPU_CV");
  ASSERT_EQ(curve.points.size(), 1U);
  EXPECT_EQ(curve.points[0].energy_j.count(), 1U);
  EXPECT_EQ(curve.points[0].energy(), 440);
  EXPECT_EQ(curve.points[0].load_percent.mean(), 87.5);
  ASSERT_TRUE(curve.default_governor);
}

TEST(SweepFile, TellsWhichRunsAreComplete) {
  SweepRow second = row_with(good_record());
  second.point.repeat = 2;
  const auto before = read_swept(file_of({row_with(good_record(), 1), second}), orin_curve());
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_THAT(before->mismatch, IsEmpty());
  EXPECT_EQ(before->energy_scope, "VDD_GPU_SOC+VDD_CPU_CV");
  const std::vector<SweepPoint> plan{{megahertz(612), 1}, {megahertz(612), 2}, {megahertz(714), 1}};
  EXPECT_THAT(left_to_run(plan, before->rows),
              ElementsAre(SweepPoint{megahertz(612), 1}, SweepPoint{megahertz(714), 1}));
}

TEST(SweepFile, NamesWhatIsOfAnotherJobBoardOrCommand) {
  SweepCurve now = orin_curve();
  now.job.layers = 24;
  now.power_mode = "MODE_30W";
  now.command = "fnv1a64:ffffffffffffffff";
  const auto before = read_swept(file_of({row_with(good_record()), row_with(good_record())}), now);
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_THAT(before->mismatch,
              ElementsAre("layers: 12 there, 24 now", "power_mode: MAXN there, MODE_30W now", "another command"));
}

TEST(SweepFile, NamesTheOtherCurvesInIt) {
  SweepCurve now = orin_curve();
  now.id = "agx-orin-64-gpt-maxn";
  const auto before = read_swept(file_of({row_with(good_record())}), now);
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_THAT(before->others, ElementsAre(orin_curve().id));
  EXPECT_THAT(before->rows, IsEmpty());
}

TEST(SweepFile, RefusesTheFileOfABoardWithOtherRails) {
  SweepCurve now = orin_curve();
  now.rails = {"VDD_IN"};
  const auto before = read_swept(file_of({}), now);
  ASSERT_FALSE(before);
  EXPECT_THAT(before.error().message, HasSubstr("line 1"));
}

TEST(SweepFile, RefusesARowThatMakesNoSense) {
  const auto message_of = [](const std::string& row) {
    const auto before = read_swept(file_of({}) + row, orin_curve());
    return before ? "accepted" : before.error().message;
  };
  std::string row = sweep_line(orin_curve(), row_with(good_record()));
  EXPECT_EQ(message_of("a,b\n"), "line 2: expected 32 fields, not 2");
  EXPECT_EQ(message_of(std::string(row).replace(row.find(",612,"), 5, ",fast,")),
            "line 2, column 2 (gpu_freq_mhz): expected a clock in MHz, or MAXN");
  EXPECT_EQ(message_of(std::string(row).replace(row.find(",440.000,"), 9, ",,")),
            "line 2, column 10 (energy_j): expected joules above 0");
}

TEST(SweepFile, IsWholeUpToItsLastLineEnd) {
  EXPECT_EQ(whole_lines(""), 0U);
  EXPECT_EQ(whole_lines("a,b\n"), 4U);
  EXPECT_EQ(whole_lines("a,b\n1,"), 4U);
  EXPECT_EQ(whole_lines("torn head"), 0U);
}

}  // namespace
}  // namespace sweetspot
