// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/devfreq_model.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "simulator/recorded_answers.hpp"
#include "sweetspot/simulator/board.hpp"

namespace sweetspot {
namespace {

using Kernel = DevfreqModel::Kernel;

DevfreqModel devfreq_model(Kernel kernel) {
  const Board board = *find_board("agx-orin-64-jp6");
  return {*FrequencyTable::from(board.gpu.node.clocks), kernel, board.gpu.governors};
}

TEST(DevfreqModel, GivesTheRecordedAnswers) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  for (const auto& answer : recorded_answers()) {
    if (answer.first) {
      ASSERT_EQ(model.store_min("0") + model.store_max("0") + model.store_governor(answer.governor), 0);
    }
    if (answer.file == "cur_freq") continue;  // not the node's but the file's answer
    SCOPED_TRACE(answer.governor + ": " + answer.file + " <- " + answer.value);
    const int code = answer.file == "governor"   ? model.store_governor(answer.value)
                     : answer.file == "min_freq" ? model.store_min(answer.value)
                                                 : model.store_max(answer.value);
    EXPECT_EQ(code == 0 ? "ok" : std::strerror(code), answer.error);
    EXPECT_EQ(model.min().value, answer.min);
    EXPECT_EQ(model.max().value, answer.max);
    EXPECT_EQ(model.retarget(Hertz{130050000}).value, answer.cur);
  }
}

TEST(DevfreqModel, AKernelCapHidesThePinAndGivesItBack) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  ASSERT_EQ(model.store_max("1020000000") + model.store_min("1020000000"), 0);
  model.cap(714000);
  EXPECT_EQ(model.min(), megahertz(714));
  EXPECT_EQ(model.max(), megahertz(714));
  model.cap(std::nullopt);
  EXPECT_EQ(model.min(), megahertz(1020));
  EXPECT_EQ(model.max(), megahertz(1020));
}

TEST(DevfreqModel, PodgovExceedsACapBetweenTwoEntries) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  ASSERT_EQ(model.store_max("700000000"), 0);
  EXPECT_EQ(model.retarget(megahertz(1300.5)), megahertz(714));
}

TEST(DevfreqModel, PerformanceStaysBelowACapBetweenTwoEntries) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  ASSERT_EQ(model.store_governor("performance") + model.store_max("700000000"), 0);
  EXPECT_EQ(model.retarget(megahertz(306)), megahertz(612));
}

TEST(DevfreqModel, Kernel49RefusesAMinimumAboveTheMaximum) {
  DevfreqModel model = devfreq_model(Kernel::v4_9);
  ASSERT_EQ(model.store_max("510000000"), 0);
  EXPECT_EQ(model.store_min("918000000"), EINVAL);
  EXPECT_EQ(model.min(), megahertz(306));
}

TEST(DevfreqModel, Kernel49RefusesAMaximumBelowTheMinimum) {
  DevfreqModel model = devfreq_model(Kernel::v4_9);
  ASSERT_EQ(model.store_min("918000000"), 0);
  EXPECT_EQ(model.store_max("510000000"), EINVAL);
  EXPECT_EQ(model.max(), megahertz(1300.5));
}

TEST(DevfreqModel, Kernel49ClampsToTheTableAndTakesZeroForNoLimit) {
  DevfreqModel model = devfreq_model(Kernel::v4_9);
  ASSERT_EQ(model.store_min("612000000") + model.store_max("2000000000"), 0);
  EXPECT_EQ(model.max(), megahertz(1300.5));
  ASSERT_EQ(model.store_min("0") + model.store_max("0"), 0);
  EXPECT_EQ(model.min(), megahertz(306));
  EXPECT_EQ(model.max(), megahertz(1300.5));
}

TEST(DevfreqModel, ChangingTheKernelKeepsTheLimitsInForce) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  ASSERT_EQ(model.store_max("612000000") + model.store_min("408000000"), 0);
  model.behave_as(Kernel::v4_9);
  EXPECT_EQ(model.min(), megahertz(408));
  EXPECT_EQ(model.max(), megahertz(612));
  EXPECT_EQ(model.store_min("714000000"), EINVAL);
}

TEST(DevfreqModel, SetFreqTakesHexadecimalAndRefusesRubbish) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  ASSERT_EQ(model.store_governor("userspace"), 0);
  EXPECT_EQ(model.set_freq(), "undefined");
  EXPECT_EQ(model.store_set_freq("0x1E65FB80"), 0);
  EXPECT_EQ(model.set_freq(), "510000000");
  EXPECT_EQ(model.retarget({}), megahertz(510));
  for (const auto* bad : {"abc", "714000000abc\n", " 714000000", "-1", ""})
    EXPECT_EQ(model.store_set_freq(bad), EINVAL) << bad;
}

TEST(DevfreqModel, ARememberedSetFreqAppliesWhenTheLimitGoes) {
  DevfreqModel model = devfreq_model(Kernel::v5_10);
  ASSERT_EQ(model.store_governor("userspace") + model.store_max("408000000") + model.store_set_freq("1020000000"), 0);
  EXPECT_EQ(model.retarget({}), megahertz(408));
  ASSERT_EQ(model.store_max("0"), 0);
  EXPECT_EQ(model.retarget({}), megahertz(1020));
}

TEST(KernelScan, ReadsAsSscanfDoes) {
  EXPECT_EQ(kernel_scan_unsigned(" \t42 junk"), 42U);
  EXPECT_EQ(kernel_scan_unsigned("18446744073709551616"), 0U);
  EXPECT_FALSE(kernel_scan_unsigned("+1"));
  EXPECT_FALSE(kernel_scan_unsigned("\n"));
}

}  // namespace
}  // namespace sweetspot
