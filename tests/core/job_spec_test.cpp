// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/job_spec.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sweetspot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string field_refused(const JobSpec& spec) {
  const auto problem = problem_in(spec);
  return problem ? problem->field : "none";
}

TEST(JobSpec, AnEmptyOneIsGood) {
  EXPECT_EQ(problem_in(JobSpec{}), std::nullopt);
}

TEST(JobSpec, AFullOneIsGood) {
  const JobSpec spec{.name = "bert-base on MNLI, größer",
                     .model_type = "bert",
                     .layers = 12,
                     .hidden_size = 768,
                     .mean_sequence_length = 39.6,
                     .batch_size = 128,
                     .total_steps = 3068,
                     .policy = "fixed",
                     .frequency = megahertz(714),
                     .objective = "module",
                     .rails = std::vector<std::string>{"VDD_GPU_SOC"},
                     .max_slowdown = 1.2,
                     .finish_within_s = 3600,
                     .pid = 4711,
                     .lease_s = 60,
                     .tags = {{"dataset", "mnli"}}};
  EXPECT_EQ(problem_in(spec), std::nullopt);
}

struct WholeField {
  const char* name;
  std::optional<std::int64_t> JobSpec::*member;
  std::int64_t highest;
};
class WholeNumberField : public testing::TestWithParam<WholeField> {};

TEST_P(WholeNumberField, IsGoodFromOneToItsHighest) {
  for (const std::int64_t value : {std::int64_t{1}, GetParam().highest}) {
    JobSpec spec;
    spec.*GetParam().member = value;
    EXPECT_EQ(field_refused(spec), "none") << value;
  }
}

TEST_P(WholeNumberField, IsRefusedBelowOneAndAboveItsHighest) {
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                                   GetParam().highest + 1, std::numeric_limits<std::int64_t>::max()}) {
    JobSpec spec;
    spec.*GetParam().member = value;
    const auto problem = problem_in(spec);
    ASSERT_TRUE(problem) << value;
    EXPECT_EQ(problem->field, GetParam().name);
    EXPECT_NE(problem->expected.find(std::to_string(GetParam().highest)), std::string::npos);
    EXPECT_NE(problem->expected.find(std::to_string(value)), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(JobSpec, WholeNumberField,
                         testing::Values(WholeField{"layers", &JobSpec::layers, 100'000},
                                         WholeField{"hidden_size", &JobSpec::hidden_size, 100'000'000},
                                         WholeField{"batch_size", &JobSpec::batch_size, 1'000'000'000},
                                         WholeField{"total_steps", &JobSpec::total_steps, 1'000'000'000'000},
                                         WholeField{"pid", &JobSpec::pid, 2'147'483'647}),
                         [](const auto& field) { return field.param.name; });

struct RealField {
  const char* name;
  std::optional<double> JobSpec::*member;
  double highest;
};
class RealNumberField : public testing::TestWithParam<RealField> {};

TEST_P(RealNumberField, IsGoodFromOneToItsHighest) {
  for (const double value : {1.0, 1.5, GetParam().highest}) {
    JobSpec spec;
    spec.*GetParam().member = value;
    EXPECT_EQ(field_refused(spec), "none") << value;
  }
}

TEST_P(RealNumberField, IsRefusedOutsideItsRangeAndWhereItIsNoNumber) {
  for (const double value :
       {nan, -nan, infinity, -infinity, -1.0, 0.0, -0.0, 0.999, std::nextafter(GetParam().highest, infinity)}) {
    JobSpec spec;
    spec.*GetParam().member = value;
    EXPECT_EQ(field_refused(spec), GetParam().name) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(JobSpec, RealNumberField,
                         testing::Values(RealField{"mean_sequence_length", &JobSpec::mean_sequence_length, 1e7},
                                         RealField{"max_slowdown", &JobSpec::max_slowdown, 1000},
                                         RealField{"finish_within_s", &JobSpec::finish_within_s, 1e9},
                                         RealField{"lease_s", &JobSpec::lease_s, 1e9}),
                         [](const auto& field) { return field.param.name; });

TEST(JobSpec, TextsAreRefusedAboveTheirLength) {
  const std::string longest(SpecLimits::name_bytes, 'x');
  EXPECT_EQ(field_refused({.name = longest, .model_type = longest, .tags = {{longest, longest}}}), "none");
  EXPECT_EQ(field_refused({.name = longest + "x"}), "name");
  EXPECT_EQ(field_refused({.model_type = longest + "x"}), "model_type");
  EXPECT_EQ(field_refused({.tags = {{longest + "x", "v"}}}), "tags");
  EXPECT_EQ(field_refused({.tags = {{"k", longest + "x"}}}), "tags");
  EXPECT_EQ(field_refused({.rails = std::vector<std::string>{longest + "x"}}), "rails");
}

TEST(JobSpec, TextsThatCouldMoveATerminalsCursorAreRefused) {
  using namespace std::string_literals;
  for (const std::string& bad : {"\x1b[2J"s, "a\nb"s, "tab\t"s, "nul\0byte"s, "\x7f"s, "csi \xc2\x9b"s, "\xc2\x80"s}) {
    EXPECT_EQ(field_refused({.name = bad}), "name");
    EXPECT_EQ(field_refused({.model_type = bad}), "model_type");
    EXPECT_EQ(field_refused({.tags = {{bad, "v"}}}), "tags");
    EXPECT_EQ(field_refused({.tags = {{"k", bad}}}), "tags");
    EXPECT_EQ(field_refused({.rails = std::vector<std::string>{bad}}), "rails");
  }
}

TEST(JobSpec, TextsInAnyLanguageAreGood) {
  for (const char* text : {"", "größer", "微调", "тест", "\xc2\xa0 non-breaking", "a/b:c=d"})
    EXPECT_EQ(field_refused({.name = text}), "none") << text;
}

TEST(JobSpec, TooManyTagsAreRefused) {
  JobSpec spec;
  for (std::size_t i = 0; i < SpecLimits::tags; ++i) spec.tags["tag" + std::to_string(i)] = "";
  EXPECT_EQ(field_refused(spec), "none");
  spec.tags["one more"] = "";
  EXPECT_EQ(field_refused(spec), "tags");
}

TEST(JobSpec, AListOfRailsHasOneToItsLimitAndNoEmptyLabel) {
  EXPECT_EQ(field_refused({.rails = std::vector<std::string>{}}), "rails");
  EXPECT_EQ(field_refused({.rails = std::vector<std::string>{""}}), "rails");
  EXPECT_EQ(field_refused({.rails = std::vector<std::string>(SpecLimits::rails, "VDD_IN")}), "none");
  EXPECT_EQ(field_refused({.rails = std::vector<std::string>(SpecLimits::rails + 1, "VDD_IN")}), "rails");
}

TEST(JobSpec, OnlyKnownObjectivesAreGood) {
  for (const char* good : {"gpu+cpu", "module"}) EXPECT_EQ(field_refused({.objective = good}), "none");
  for (const char* bad : {"", "GPU+CPU", "gpu", "cpu+gpu", "module "})
    EXPECT_EQ(field_refused({.objective = bad}), "objective");
}

TEST(JobSpec, OnlyKnownPoliciesAreGood) {
  for (const char* good : {"mlg", "ffg", "none", "tree", "adaptive"})
    EXPECT_EQ(field_refused({.policy = good}), "none") << good;
  for (const char* bad : {"", "MLG", "adaptively", "fastest", "mlg "}) {
    const auto problem = problem_in({.policy = bad});
    ASSERT_TRUE(problem) << bad;
    EXPECT_EQ(*problem, (SpecProblem{"policy", "mlg, ffg, fixed, none, tree or adaptive"}));
  }
}

TEST(JobSpec, PolicyFixedNeedsAClockAndTheOthersRefuseOne) {
  EXPECT_EQ(field_refused({.policy = "fixed"}), "frequency_hz");
  EXPECT_EQ(field_refused({.policy = "fixed", .frequency = megahertz(612)}), "none");
  for (const char* other : {"mlg", "ffg", "none", "tree", "adaptive"})
    EXPECT_EQ(field_refused({.policy = other, .frequency = megahertz(612)}), "frequency_hz") << other;
}

TEST(JobSpec, AClockWithoutAPolicyIsGoodBecauseItMeansFixed) {
  EXPECT_EQ(field_refused({.frequency = megahertz(612)}), "none");
}

TEST(JobSpec, AClockOutsideAnyGpusRangeIsRefused) {
  for (const Hertz bad : {Hertz{0}, Hertz{612}, Hertz{999'999}, Hertz{100'000'000'001}, Hertz{~std::uint64_t{0}}})
    EXPECT_EQ(field_refused({.frequency = bad}), "frequency_hz") << bad.value;
  for (const Hertz good : {Hertz{1'000'000}, Hertz{100'000'000'000}})
    EXPECT_EQ(field_refused({.frequency = good}), "none");
}

TEST(JobSpec, NamesOfPoliciesAndObjectivesReadBack) {
  for (const Policy policy : {Policy::mlg, Policy::ffg, Policy::fixed, Policy::none, Policy::tree, Policy::adaptive}) {
    EXPECT_EQ(policy_named(name_of(policy)), policy);
    EXPECT_NE(policy_names().find(name_of(policy)), std::string_view::npos);
  }
  for (const Objective objective : {Objective::gpu_and_cpu, Objective::module})
    EXPECT_EQ(objective_named(name_of(objective)), objective);
}

}  // namespace
}  // namespace sweetspot
