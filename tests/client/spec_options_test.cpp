// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/spec_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::TemporaryFolder;

Result<JobSpec> spec_of(std::vector<std::string> arguments) {
  CLI::App app;
  SpecOptions options;
  add_spec_options(app, options);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  return job_spec(options);
}

std::string written(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  const std::string path = folder.path() + "/" + name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
  return path;
}

TEST(SpecOptions, NothingGivenIsAnEmptySpec) {
  EXPECT_EQ(spec_of({}).value(), JobSpec{});
}

TEST(SpecOptions, EachOptionSetsItsField) {
  const auto spec =
      spec_of({"--name",         "lora", "--layers",        "12",     "--hidden-size", "768",
               "--seq-len",      "48.5", "--batch-size",    "8",      "--steps",       "1000",
               "--policy",       "ffg",  "--objective",     "module", "--rails",       "VDD_GPU_SOC,VDD_CPU_CV",
               "--max-slowdown", "1.2",  "--finish-within", "2h",     "--lease",       "90s"});
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->name, "lora");
  EXPECT_EQ(spec->layers, 12);
  EXPECT_EQ(spec->hidden_size, 768);
  EXPECT_EQ(spec->mean_sequence_length, 48.5);
  EXPECT_EQ(spec->batch_size, 8);
  EXPECT_EQ(spec->total_steps, 1000);
  EXPECT_EQ(spec->policy, "ffg");
  EXPECT_EQ(spec->objective, "module");
  EXPECT_EQ(spec->rails, (std::vector<std::string>{"VDD_GPU_SOC", "VDD_CPU_CV"}));
  EXPECT_EQ(spec->max_slowdown, 1.2);
  EXPECT_EQ(spec->finish_within_s, 7200);
  EXPECT_EQ(spec->lease_s, 90);
}

TEST(SpecOptions, TakesAClockInEveryUnit) {
  for (const char* clock : {"612MHz", "0.612GHz", "612000000"})
    EXPECT_EQ(spec_of({"--freq", clock}).value().frequency, megahertz(612)) << clock;
  const auto bare = spec_of({"--freq", "612"});
  ASSERT_FALSE(bare);
  EXPECT_THAT(bare.error().message, HasSubstr("--freq"));
}

TEST(SpecOptions, NamesTheOptionWhoseValueIsOutOfRange) {
  const struct {
    std::vector<std::string> arguments;
    const char* option;
  } cases[] = {{{"--layers", "0"}, "--layers"},
               {{"--seq-len", "-1"}, "--seq-len"},
               {{"--steps", "0"}, "--steps"},
               {{"--policy", "best"}, "--policy"},
               {{"--policy", "fixed"}, "--freq"},
               {{"--policy", "ffg", "--freq", "612MHz"}, "--freq"},
               {{"--objective", "gpu"}, "--objective"},
               {{"--lease", "soon"}, "--lease"},
               {{"--finish-within", "0.5s"}, "--finish-within"},
               {{"--name", std::string(300, 'x')}, "--name"}};
  for (const auto& [arguments, option] : cases) {
    const auto spec = spec_of(arguments);
    ASSERT_FALSE(spec) << option;
    EXPECT_THAT(spec.error().message, HasSubstr(option));
    EXPECT_EQ(spec.error().code, EINVAL) << option;
  }
}

TEST(SpecOptions, ReadsAModelFromItsFileOrItsFolder) {
  const TemporaryFolder folder;
  const std::string file =
      written(folder, "bert/config.json", R"({"model_type": "bert", "num_hidden_layers": 12, "hidden_size": 768})");
  for (const std::string& path : {file, folder.path() + "/bert"}) {
    const auto spec = spec_of({"--model", path});
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec->layers, 12);
    EXPECT_EQ(spec->hidden_size, 768);
    EXPECT_EQ(spec->model_type, "bert");
  }
}

TEST(SpecOptions, SingleOptionsGoBeforeTheModelAndTheModelBeforeTheFile) {
  const TemporaryFolder folder;
  const std::string model = written(folder, "config.json", R"({"num_hidden_layers": 12, "hidden_size": 768})");
  const std::string file =
      written(folder, "spec.json", R"({"name": "from file", "layers": 3, "batch_size": 4, "tags": {"a": "b"}})");
  const auto spec = spec_of({"--spec", file, "--model", model, "--hidden-size", "512"});
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->name, "from file");
  EXPECT_EQ(spec->layers, 12);
  EXPECT_EQ(spec->hidden_size, 512);
  EXPECT_EQ(spec->batch_size, 4);
  EXPECT_EQ(spec->tags.at("a"), "b");
}

TEST(SpecOptions, NamesTheFileThatCannotBeReadOrUnderstood) {
  const TemporaryFolder folder;
  const std::string no_layers = written(folder, "no-layers.json", R"({"vocab_size": 5})");
  const std::string no_json = written(folder, "no-json.json", "layers = 5");
  const std::string unknown = written(folder, "unknown.json", R"({"layer": 5})");
  for (const auto& [option, path] :
       std::vector<std::pair<std::string, std::string>>{{"--model", folder.path() + "/absent"},
                                                        {"--model", folder.path()},
                                                        {"--model", no_layers},
                                                        {"--model", no_json},
                                                        {"--spec", no_json},
                                                        {"--spec", unknown},
                                                        {"--spec", folder.path()}}) {
    const auto spec = spec_of({option, path});
    ASSERT_FALSE(spec) << option << " " << path;
    EXPECT_THAT(spec.error().message, HasSubstr(path));
    EXPECT_NE(spec.error().code, EINVAL) << option << " " << path;
  }
}

TEST(SpecOptions, SaysWhatToNameInsteadOfAModelAtAHub) {
  const auto spec = spec_of({"--model", "microsoft/deberta-v2-xlarge"});
  ASSERT_FALSE(spec);
  EXPECT_THAT(spec.error().message, HasSubstr("folder that holds the model's config.json, or say --layers N"));
}

}  // namespace
}  // namespace sweetspot
