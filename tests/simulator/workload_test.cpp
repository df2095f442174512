// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/workload.hpp"

#include <gtest/gtest.h>

#include "sweetspot/simulator/board.hpp"

namespace sweetspot {
namespace {

Stage orin_stage() {
  const Board board = *find_board("agx-orin-64-jp6");
  return {board.power, in_megahertz(board.gpu.node.clocks.back()), board.measured_here};
}

std::vector<Hertz> orin_clocks() {
  return find_board("agx-orin-64-jp6")->gpu.node.clocks;
}

// Over VDD_GPU_SOC (gpu and traffic) and VDD_CPU_CV.
double job_joules(const Workload& work, const OperatingPoint& point) {
  return work.total_steps * point.step_seconds * (point.power.gpu + point.power.traffic + point.power.cpu);
}

TEST(MeasuredWorkload, CostsExactlyThePublishedJoulesAtEveryPublishedClock) {
  int points = 0;
  for (const auto& work : workloads()) {
    if (!work.curve) continue;
    for (const auto& point : work.curve->points) {
      SCOPED_TRACE(work.id + " at " + std::to_string(point.mhz));
      EXPECT_NEAR(job_joules(work, pinned_point(work, orin_stage(), point.mhz)) / point.joules, 1, 1e-12);
      ++points;
    }
  }
  EXPECT_EQ(points, 38);
}

TEST(MeasuredWorkload, CostsExactlyThePublishedMaxnJoulesWhenUnpinned) {
  for (const auto& work : workloads()) {
    if (!work.curve) continue;
    SCOPED_TRACE(work.id);
    const auto point = unpinned_point(work, orin_stage());
    ASSERT_TRUE(point);
    EXPECT_NEAR(job_joules(work, *point) / work.curve->maxn_joules, 1, 1e-12);
  }
}

TEST(MeasuredWorkload, HasItsBestClocksWhereTheyWerePublished) {
  const auto best = [](const std::string& id) {
    const Workload work = *find_workload(id);
    Hertz cheapest{};
    double least = 1e18;
    for (const Hertz clock : orin_clocks()) {
      const double joules = job_joules(work, pinned_point(work, orin_stage(), in_megahertz(clock)));
      if (joules < least) cheapest = clock;
      least = std::min(least, joules);
    }
    return cheapest;
  };
  EXPECT_EQ(best("deberta-v2-xlarge/qnli"), megahertz(612));
  EXPECT_EQ(best("deberta-v2-xlarge/sst2"), megahertz(714));
  EXPECT_EQ(best("pythia-14m/qnli"), megahertz(408));
}

TEST(MeasuredWorkload, HasTheKnownNumbersOfStepsAndLayers) {
  EXPECT_EQ(find_workload("deberta-v2-xlarge/sst2")->total_steps, 4209);
  EXPECT_EQ(find_workload("deberta-v2-xlarge/qnli")->total_steps, 6546);
  EXPECT_EQ(find_workload("deberta-v2-xlarge/qnli")->layers, 24);
  EXPECT_EQ(find_workload("pythia-14m/qnli")->layers, 6);
}

TEST(MeasuredWorkload, OnAnotherBoardIsPlayedFromTheModel) {
  const Board nano = *find_board("orin-nano-super-jp6");
  const Stage stage{nano.power, 1020, nano.measured_here};
  const Workload work = *find_workload("deberta-v2-xlarge/sst2");
  EXPECT_FALSE(unpinned_point(work, stage));
  EXPECT_GT(pinned_point(work, stage, 612).step_seconds, pinned_point(work, orin_stage(), 612).step_seconds);
}

TEST(MeasuredWorkload, BetweenPublishedClocksPowerStaysBetweenTheNeighbours) {
  const Workload gemma = *find_workload("gemma-2b/qnli");
  const double low = job_joules(gemma, pinned_point(gemma, orin_stage(), 510)) / gemma.total_steps;
  const double high = job_joules(gemma, pinned_point(gemma, orin_stage(), 1224)) / gemma.total_steps;
  const double middle = job_joules(gemma, pinned_point(gemma, orin_stage(), 816)) / gemma.total_steps;
  EXPECT_GT(middle, 0.85 * low);
  EXPECT_LT(middle, high);
}

TEST(MeasuredWorkload, PythiaLoadsTheGpuLittleEnoughForASecondStage) {
  EXPECT_LE(pinned_point(*find_workload("pythia-14m/qnli"), orin_stage(), 612).load, 0.22);
  EXPECT_GE(pinned_point(*find_workload("deberta-v2-xlarge/qnli"), orin_stage(), 714).load, 0.9);
}

TEST(ModelledWorkload, ComputeBoundModelsHaveAUShapedCurve) {
  const Workload work = *find_workload("bert-large/qnli");
  const auto joules = [&](double mhz) { return job_joules(work, pinned_point(work, orin_stage(), mhz)); };
  EXPECT_GT(joules(306), joules(612));
  EXPECT_GT(joules(1300.5), joules(816));
}

TEST(ModelledWorkload, TinyModelsLeaveTheGovernorAtALowClock) {
  EXPECT_LT(governor_wish(*find_workload("bert-tiny/sst2"), orin_stage(), orin_clocks()), megahertz(612));
  EXPECT_EQ(governor_wish(*find_workload("bert-large/qnli"), orin_stage(), orin_clocks()), megahertz(1300.5));
}

TEST(Workloads, AnUnknownNameIsRefusedWithTheKnownOnes) {
  const auto work = find_workload("bert-huge/sst2");
  ASSERT_FALSE(work);
  EXPECT_NE(work.error().message.find("deberta-v2-xlarge/sst2"), std::string::npos);
}

TEST(Workloads, EachSaysWhereItsNumbersComeFrom) {
  for (const auto& work : workloads()) {
    SCOPED_TRACE(work.id);
    if (work.curve) {
      EXPECT_NE(work.source.find("esainulab/slmdvfs"), std::string::npos);
      EXPECT_NE(work.source.find("assumed"), std::string::npos);
    } else {
      EXPECT_FALSE(work.source.empty());
    }
  }
}

}  // namespace
}  // namespace sweetspot
