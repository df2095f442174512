// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/curve_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace sweetspot {
namespace {

const std::string head =
    "curve_id,platform,kind,workload,layers,hidden_size,mean_sequence_length,total_steps,gpu_freq_mhz,time_s,energy_j,"
    "energy_scope,source\n";

std::string error_of(const std::string& text) {
  const auto curves = parse_curves(text);
  return curves ? "accepted" : curves.error().message;
}

/// A file of the required columns and `column`, whose one row holds `value` there.
std::string error_with(const std::string& column, const std::string& value) {
  return error_of("curve_id,gpu_freq_mhz,energy_j," + column + "\na,612,5," + value + "\n");
}

TEST(CurveFile, ReadsWhatARowSays) {
  const auto curves = parse_curves(head + "a,agx-orin-64,finetune,bert/qnli,12,768,51.5,410,1300.5,20.5,700,GPU,lab\n");
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_EQ(curves->size(), 1U);
  const Curve& curve = curves->front();
  EXPECT_EQ(curve.id, "a");
  EXPECT_EQ(curve.platform, "agx-orin-64");
  EXPECT_EQ(curve.workload, "bert/qnli");
  EXPECT_EQ(curve.layers, 12);
  EXPECT_EQ(curve.hidden_size, 768);
  EXPECT_EQ(curve.mean_sequence_length, 51.5);
  EXPECT_EQ(curve.total_steps, 410);
  EXPECT_EQ(curve.energy_scope, "GPU");
  ASSERT_EQ(curve.points.size(), 1U);
  EXPECT_EQ(curve.points[0].clock, megahertz(1300.5));
  EXPECT_EQ(curve.points[0].energy(), 700);
  EXPECT_EQ(curve.points[0].time(), 20.5);
}

TEST(CurveFile, LeavesEmptyFieldsEmpty) {
  const auto curves = parse_curves(head + "a,,,,,,,,612,,5,,\n");
  ASSERT_TRUE(curves) << curves.error().message;
  const Curve& curve = curves->front();
  EXPECT_EQ(curve.layers, std::nullopt);
  EXPECT_EQ(curve.mean_sequence_length, std::nullopt);
  EXPECT_EQ(curve.points[0].time(), std::nullopt);
}

TEST(CurveFile, TakesMaxnForTheDefaultGovernor) {
  const auto curves = parse_curves(head + "a,,,,,,,,MAXN,,5,,\na,,,,,,,,612,,4,,\n");
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_TRUE(curves->front().default_governor);
  EXPECT_EQ(curves->front().default_governor->energy(), 5);
  EXPECT_EQ(curves->front().points.size(), 1U);
}

TEST(CurveFile, TakesSeveralRowsAtOneClockForRepeats) {
  const auto curves = parse_curves("curve_id,gpu_freq_mhz,energy_j\na,714,4\na,612,5\nb,612,9\na,714,6\n");
  ASSERT_TRUE(curves) << curves.error().message;
  ASSERT_EQ(curves->size(), 2U);
  const Curve& curve = curves->front();
  ASSERT_EQ(curve.points.size(), 2U);
  EXPECT_EQ(curve.points[0].clock, megahertz(612));
  EXPECT_EQ(curve.points[0].energy_j.deviation(), std::nullopt);
  EXPECT_EQ(curve.points[1].energy(), 5);
  EXPECT_DOUBLE_EQ(*curve.points[1].energy_j.deviation(), std::sqrt(2.0));
}

TEST(CurveFile, TakesColumnsInAnyOrderAndLeavesUnknownOnesAlone) {
  const auto curves = parse_curves("energy_j,note,curve_id,gpu_freq_mhz\n5,by hand,a,612\n");
  ASSERT_TRUE(curves) << curves.error().message;
  EXPECT_EQ(curves->front().points[0].energy(), 5);
}

TEST(CurveFile, SkipsRowsThatAreNotValid) {
  const auto curves = parse_curves("curve_id,gpu_freq_mhz,energy_j,valid\na,612,,false\na,714,5,true\n");
  ASSERT_TRUE(curves) << curves.error().message;
  EXPECT_EQ(curves->front().points.size(), 1U);
}

TEST(CurveFile, ReadsQuotesWindowsLineEndsAndAByteOrderMark) {
  const auto curves = parse_curves(
      "\xEF\xBB\xBF\"curve_id\",workload,gpu_freq_mhz,energy_j\r\na,\"ViT, \"\"b32\"\"\",612,5\r\n\r\na,\"ViT, "
      "\"\"b32\"\"\",714,6");
  ASSERT_TRUE(curves) << curves.error().message;
  EXPECT_EQ(curves->front().workload, "ViT, \"b32\"");
  EXPECT_EQ(curves->front().points.size(), 2U);
}

TEST(CurveFile, NamesLineColumnAndWhatWasExpected) {
  EXPECT_EQ(error_of(head + "a,,,,,,,,612,,5,,\na,,,,,,,,fast,,5,,\n"),
            "line 3, column 9 (gpu_freq_mhz): expected a clock in MHz such as 612 or 1300.5, or MAXN, not 'fast'");
  EXPECT_EQ(error_of(head + "a,,,,,,,,612,,,,\n"),
            "line 2, column 11 (energy_j): expected joules above 0, not nothing");
  EXPECT_EQ(error_of(head + "a,,,,,,,,612,,-5,,\n"), "line 2, column 11 (energy_j): expected joules above 0, not '-5'");
  EXPECT_EQ(error_of(head + "a,,,,,,,,612,0,5,,\n"),
            "line 2, column 10 (time_s): expected seconds above 0, or nothing, not '0'");
  EXPECT_EQ(error_of(head + ",,,,,,,,612,,5,,\n"),
            "line 2, column 1 (curve_id): expected the name of a curve, not nothing");
  EXPECT_EQ(error_of(head + "a,,,,6.5,,,,612,,5,,\n"),
            "line 2, column 5 (layers): expected a whole number from 1, or nothing, not '6.5'");
  EXPECT_EQ(error_with("mean_gpu_load_percent", "101"),
            "line 2, column 4 (mean_gpu_load_percent): expected per cent from 0 to 100, or nothing, not '101'");
  EXPECT_EQ(error_with("valid", "perhaps"), "line 2, column 4 (valid): expected true, false or nothing, not 'perhaps'");
}

TEST(CurveFile, CutsNoLetterOfWhatItQuotes) {
  const std::string long_word = std::string(39, 'x') + "é and so on";
  EXPECT_THAT(error_with("valid", long_word), ::testing::EndsWith("not '" + std::string(39, 'x') + "…'"));
}

TEST(CurveFile, QuotesOnlyWhatMayBeShown) {
  EXPECT_THAT(error_with("valid", "\xff\xfe\x1b[2J"), ::testing::EndsWith("not '???[2J'"));
  EXPECT_THAT(error_with("valid",
                         "a\xc2\x9b"
                         "2Jé"),
              ::testing::EndsWith("not 'a?2Jé'"))
      << "C1, as a terminal takes it";
}

TEST(CurveFile, RefusesNumbersThatAreNone) {
  for (const char* number : {"nan", "inf", "1e999", "5 ", " 5", "5J", "0x10", "1,5", "--5", "5e"})
    EXPECT_NE(error_of("curve_id,gpu_freq_mhz,energy_j\na,612," + std::string(number) + "\n"), "accepted") << number;
}

TEST(CurveFile, RefusesARowThatContradictsItsCurve) {
  EXPECT_EQ(error_of(head + "a,,,,6,,,,612,,5,,\na,,,,7,,,,714,,5,,\n"),
            "line 3, column 5 (layers): expected 6 as in the curve's first row, not '7'");
  EXPECT_EQ(error_of(head + "a,orin,,,,,,,612,,5,,\na,xavier,,,,,,,714,,5,,\n"),
            "line 3, column 2 (platform): expected 'orin' as in the curve's first row, not 'xavier'");
  EXPECT_EQ(error_of(head + "a,,,,,,,,612,,5,,\na,,,,,,51,,714,,5,,\n"),
            "line 3, column 7 (mean_sequence_length): expected nothing as in the curve's first row, not '51'");
}

TEST(CurveFile, RefusesRowsThatAreTooShortOrTooLong) {
  EXPECT_EQ(error_of("curve_id,gpu_freq_mhz,energy_j\na,612\n"),
            "line 2, column 3: expected 3 fields as in the first line, not 2");
  EXPECT_EQ(error_of("curve_id,gpu_freq_mhz,energy_j\na,612,5,6\n"),
            "line 2, column 4: expected 3 fields as in the first line, not 4");
}

TEST(CurveFile, CountsLinesInsideQuotes) {
  EXPECT_EQ(error_of("curve_id,note,gpu_freq_mhz,energy_j\na,\"two\nlines\",612,5\na,,612,x\n"),
            "line 4, column 4 (energy_j): expected joules above 0, not 'x'");
  EXPECT_EQ(error_of("curve_id,gpu_freq_mhz,energy_j\na,612,\"5\n"),
            "line 2, column 3: expected a closing quote, not the end of the file");
  EXPECT_EQ(error_of("curve_id,gpu_freq_mhz,energy_j\na,612,\"5\"6\n"),
            "line 2, column 3: expected a comma or the end of the line behind the closing quote");
}

TEST(CurveFile, RefusesAHeadWithoutWhatItNeeds) {
  EXPECT_EQ(error_of(""), "line 1: expected the names of the columns, not an empty file");
  EXPECT_EQ(error_of("curve_id,energy_j\n"),
            "line 1: expected a column named gpu_freq_mhz among the names of the first line");
  EXPECT_EQ(error_of("curve_id,curve_id\n"),
            "line 1, column 2: expected another name, since 'curve_id' stands there twice");
}

TEST(CurveFile, ShowsNoControlCharacters) {
  EXPECT_EQ(error_with("valid", "\x1b[2J"), "line 2, column 4 (valid): expected true, false or nothing, not '?[2J'");
}

TEST(CurveFile, ReadsAHundredThousandRowsInAMoment) {
  std::string text = "curve_id,gpu_freq_mhz,energy_j\n";
  for (int i = 0; i < 100'000; ++i)
    text += "curve" + std::to_string(i / 4) + "," + std::to_string(306 + i % 4) + ",5\n";
  const auto begin = std::chrono::steady_clock::now();
  const auto curves = parse_curves(text);
  const auto took = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(curves) << curves.error().message;
  EXPECT_EQ(curves->size(), 25'000U);
  EXPECT_LT(took, std::chrono::seconds(10));  // takes 0.1 s; what grows with the square takes minutes
}

}  // namespace
}  // namespace sweetspot
