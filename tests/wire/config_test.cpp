// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/config.hpp"

#include <gtest/gtest.h>

#include "places.hpp"
#include "wire/config_document.hpp"
#include "wire/read_file.hpp"

namespace sweetspot {
namespace {

std::string error_of(const std::string& text) {
  const auto config = parse_config(text);
  return config ? "accepted" : config.error().message;
}

TEST(Config, AnEmptyOneHasTheDefaults) {
  EXPECT_EQ(parse_config("{}"), Config{});
}

TEST(Config, TheShippedExampleHasTheDefaults) {
  EXPECT_EQ(parse_config(read_file(SWEETSPOT_SOURCE_DIR "/config/config.json")), Config{});
}

TEST(Config, TheShippedExampleExplainsEveryKey) {
  EXPECT_EQ(read_file(SWEETSPOT_SOURCE_DIR "/config/config.json"), example_config());
}

TEST(Config, TheDocumentationHasEveryKey) {
  const std::string page = read_file(SWEETSPOT_SOURCE_DIR "/docs/configuration.md");
  EXPECT_NE(page.find(configuration_table()), std::string::npos) << "docs/configuration.md lacks this table:\n"
                                                                 << configuration_table();
}

TEST(Config, EveryDefaultIsAcceptedAsItIsDocumented) {
  for (const ConfigKey& key : config_keys()) {
    const std::size_t dot = key.path.find('.');
    const std::string text = dot == std::string::npos ? "{\"" + key.path + "\":" + key.default_value + "}"
                                                      : "{\"" + key.path.substr(0, dot) + "\":{\"" +
                                                            key.path.substr(dot + 1) + "\":" + key.default_value + "}}";
    EXPECT_EQ(parse_config(text), Config{}) << text;
  }
}

TEST(Config, ReadsEveryKindOfValue) {
  const auto config = parse_config(R"({
    // clocks as text or in Hz
    "policy": "tree", "tree_file": "/etc/sweetspotd/tree.json", "ffg_clock": 714000000,
    "rails": ["VIN_SYS_5V0"], "objective": "module", "arbitration": "newest", "pin_style": "cap", "log_samples_s": 0,
    "second_stage": {"enabled": false, "clock": "1.02GHz", "load_limit_percent": 30.5},
    "sampling": {"period_ms": 20}, "clock": {"attempts": 7, "gpu_node": "/sys/class/devfreq/gpu"},
    "limits": {"jobs": 5}
  })");
  ASSERT_TRUE(config) << config.error().message;
  Config expected;
  expected.governor.policy.policy = Policy::tree;
  expected.governor.policy.ffg_clock = megahertz(714);
  expected.governor.policy.second_stage.enabled = false;
  expected.governor.policy.second_stage.load_limit_percent = 30.5;
  expected.governor.rails = {Objective::module, std::vector<std::string>{"VIN_SYS_5V0"}};
  expected.governor.arbitration = Arbitration::newest;
  expected.governor.jobs_in_all = 5;
  expected.tree_file = "/etc/sweetspotd/tree.json";
  expected.clock.pin_style = PinStyle::cap;
  expected.clock.attempts = 7;
  expected.clock.gpu_node = "/sys/class/devfreq/gpu";
  expected.sampling.log_period = Duration{0};
  expected.sampling.period = std::chrono::milliseconds(20);
  EXPECT_EQ(*config, expected);
}

TEST(Config, SuggestsTheNearestKey) {
  EXPECT_EQ(error_of(R"({"polcy":"mlg"})"), "polcy: no such key; did you mean policy?");
  EXPECT_EQ(error_of(R"({"second_stage":{"setle_s":5}})"),
            "second_stage.setle_s: no such key; did you mean second_stage.settle_s?");
  EXPECT_EQ(error_of(R"({"period_ms":5})"), "period_ms: no such key; did you mean sampling.period_ms?");
  EXPECT_EQ(error_of(R"({"xyzzy_plugh_1234":5})"), "xyzzy_plugh_1234: no such key");
}

TEST(Config, NamesThePlaceAndWhatBelongsThere) {
  EXPECT_EQ(error_of(R"({"policy":"fastest"})"),
            "policy: expected mlg, ffg, none, tree or adaptive, not the text 'fastest'");
  EXPECT_EQ(error_of(R"({"policy":"fixed"})"),
            "policy: expected mlg, ffg, none, tree or adaptive, not the text 'fixed'");
  EXPECT_EQ(error_of(R"({"ffg_clock":612})"),
            "ffg_clock: expected a clock such as \"612MHz\" or 612000000 (Hz), not 612");
  EXPECT_EQ(error_of(R"({"sampling":{"period_ms":4}})"),
            "sampling.period_ms: expected a number from 5 to 10000, not 4");
  EXPECT_EQ(error_of(R"({"log_samples_s":0.5})"),
            "log_samples_s: expected 0 (off) or a number from 1 to 86400, not 0.5");
  EXPECT_EQ(error_of(R"({"limits":{"jobs":0}})"), "limits.jobs: expected a whole number from 1 to 65536, not 0");
  EXPECT_EQ(error_of(R"({"limits":{"jobs":2.5}})"), "limits.jobs: expected a whole number from 1 to 65536, not 2.5");
  EXPECT_EQ(error_of(R"({"limits":7})"), "limits: expected an object, not 7");
  EXPECT_EQ(error_of(R"({"second_stage":{"enabled":"yes"}})"),
            "second_stage.enabled: expected true or false, not the text 'yes'");
  EXPECT_EQ(error_of(R"({"rails":[]})"), "rails: expected at least one label, or null, not a list");
  EXPECT_EQ(error_of(R"({"rails":["a",1]})"), "rails[1]: expected a text, not 1");
  EXPECT_EQ(error_of(R"({"minimum_coverage":1.5})"), "minimum_coverage: expected a number from 0 to 1, not 1.5");
}

TEST(Config, ChecksWhatKeysMustObeyTogether) {
  EXPECT_EQ(error_of(R"({"policy":"tree"})"), "tree_file: expected the tree's file, which policy tree needs");
  EXPECT_EQ(error_of(R"({"tree_file":"tree.json"})"), "tree_file: expected an absolute path, not tree.json");
  EXPECT_EQ(error_of(R"({"sampling":{"period_ms":10000}})"),
            "sampling.longest_step_s: expected at least two sampling periods, so that samples have no gaps");
  EXPECT_EQ(error_of(R"({"sampling":{"period_ms":10000,"longest_step_s":20}})"), "accepted");
}

TEST(Config, RefusesHostileTexts) {
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[]"), std::string("{"), std::string("{} {}"),
        std::string("{\"policy\":\"mlg\",\"policy\":\"ffg\"}"), std::string("{\"minimum_coverage\":1e999}"),
        std::string("{\"minimum_coverage\":NaN}"), std::string("{\"policy\":null}"), std::string("{\"\":1}"),
        std::string("{\"limits\":{\"\":{\"jobs\":1}}}"), std::string("{\"limits.jobs\":1}"),
        std::string("{\"gpu_node\":\"\xff\"}"), std::string(100'000, '['), "{\"" + std::string(100'000, 'a') + "\":1}"})
    EXPECT_NE(error_of(text), "accepted") << text.substr(0, 60);
}

}  // namespace
}  // namespace sweetspot
