// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/rail_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace sweetspot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A known board's rails and which of them make up each objective. Labels as in NVIDIA's device trees.
struct KnownBoard {
  const char* name;
  std::vector<std::string> rails;
  std::vector<std::string> gpu_and_cpu;
  std::vector<std::string> module;
};
class RailsOf : public testing::TestWithParam<KnownBoard> {};

TEST_P(RailsOf, KnownBoardMakeUpGpuAndCpu) {
  const auto choice = choose_rails(GetParam().rails, {Objective::gpu_and_cpu, std::nullopt});
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->counted_names, testing::UnorderedElementsAreArray(GetParam().gpu_and_cpu));
}

TEST_P(RailsOf, KnownBoardMakeUpTheModule) {
  const auto choice = choose_rails(GetParam().rails, {Objective::module, std::nullopt});
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->counted_names, testing::UnorderedElementsAreArray(GetParam().module));
}

TEST_P(RailsOf, KnownBoardAreEachEitherCountedOrLeftOutWithAReason) {
  for (const Objective objective : {Objective::gpu_and_cpu, Objective::module}) {
    const auto choice = choose_rails(GetParam().rails, {objective, std::nullopt});
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->counted.size() + choice->left_out.size(), GetParam().rails.size());
    EXPECT_TRUE(std::is_sorted(choice->counted.begin(), choice->counted.end()));
    for (std::size_t i = 0; i < choice->counted.size(); ++i)
      EXPECT_EQ(GetParam().rails.at(choice->counted[i]), choice->counted_names.at(i));
    for (const RailNotCounted& rail : choice->left_out) EXPECT_FALSE(rail.why.empty()) << rail.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    RailChoice, RailsOf,
    testing::Values(
        KnownBoard{"agx_orin",
                   {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0", "VDDQ_VDD2_1V8AO"},
                   {"VDD_GPU_SOC", "VDD_CPU_CV"},
                   {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}},
        KnownBoard{"orin_nx", {"VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"}, {"VDD_CPU_GPU_CV"}, {"VDD_IN"}},
        KnownBoard{"agx_xavier",
                   {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"},
                   {"GPU", "CPU"},
                   {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}},
        KnownBoard{"nano", {"POM_5V_IN", "POM_5V_GPU", "POM_5V_CPU"}, {"POM_5V_GPU", "POM_5V_CPU"}, {"POM_5V_IN"}},
        KnownBoard{
            "thor", {"VDD_GPU", "VDD_CPU_SOC_MSS", "VIN_SYS_5V0", "VIN"}, {"VDD_GPU", "VDD_CPU_SOC_MSS"}, {"VIN"}}),
    [](const auto& board) { return board.param.name; });

const std::vector<std::string> agx_orin_rails{"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"};

TEST(RailChoice, LabelsByNameGoBeforeTheObjective) {
  const auto choice = choose_rails(agx_orin_rails, {Objective::module, std::vector<std::string>{"VDD_CPU_CV"}});
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->counted, ElementsAre(1));
}

TEST(RailChoice, ALabelNamedTwiceIsCountedOnce) {
  const auto choice = choose_rails(
      agx_orin_rails, {Objective::module, std::vector<std::string>{"VIN_SYS_5V0", "VDD_GPU_SOC", "VIN_SYS_5V0"}});
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->counted_names, ElementsAre("VDD_GPU_SOC", "VIN_SYS_5V0"));
}

TEST(RailChoice, PartsOfALabelAreNotTheLabel) {
  for (const char* part : {"GPU", "VDD_GPU", "vdd_gpu_soc", "VDD_GPU_SOC ", ""})
    EXPECT_FALSE(choose_rails(agx_orin_rails, {Objective::module, std::vector<std::string>{part}})) << part;
}

TEST(RailChoice, ALabelTheBoardLacksIsRefusedNamingThoseItHas) {
  const auto refused = choose_rails(agx_orin_rails, {Objective::module, std::vector<std::string>{"VDD_IN"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("VDD_IN"));
  for (const std::string& rail : agx_orin_rails) EXPECT_THAT(refused.error().message, HasSubstr(rail));
}

TEST(RailChoice, AnUnknownBoardIsRefusedRatherThanGuessed) {
  for (const Objective objective : {Objective::gpu_and_cpu, Objective::module}) {
    EXPECT_FALSE(choose_rails(std::vector<std::string>{"MY_GPU_RAIL", "MY_CPU_RAIL"}, {objective, std::nullopt}));
    EXPECT_FALSE(choose_rails(std::vector<std::string>{}, {objective, std::nullopt}));
  }
}

TEST(RailChoice, HalfOfABoardsSumIsNotTheSum) {
  EXPECT_FALSE(choose_rails(std::vector<std::string>{"VDD_GPU_SOC"}, {Objective::gpu_and_cpu, std::nullopt}));
  EXPECT_FALSE(choose_rails(std::vector<std::string>{"VDD_GPU_SOC", "VDD_CPU_CV"}, {Objective::module, std::nullopt}));
}

}  // namespace
}  // namespace sweetspot
