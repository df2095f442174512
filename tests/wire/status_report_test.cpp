// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/status_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sweetspot/wire/replies.hpp"
#include "wire/samples.hpp"

namespace sweetspot {
namespace {

TEST(StatusReport, ReadsBackAnyReport) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const StatusReport report = Samples(seed).status();
    const auto read = parse_status(status_to_json(report));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, report) << "seed " << seed;
  }
}

TEST(StatusReport, IgnoresFieldsAndKeepsStatesOfANewerDaemon) {
  auto json = nlohmann::json::parse(status_to_json(full_status()));
  json["moon_phase"] = 0.5;
  json["clock"]["condition"] = "floating";
  const auto read = parse_status(json.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->clock.condition, "floating");
}

TEST(StatusReport, NamesThePlaceOfWhatIsWrong) {
  auto json = nlohmann::json::parse(status_to_json(full_status()));
  json["jobs"][0]["decision"]["frequency_hz"] = 612.5;
  EXPECT_EQ(parse_status(json.dump()).error().message,
            "jobs[0].decision.frequency_hz: expected a whole number from 0 to 9223372036854775807, not 612.5");
}

TEST(StatusReport, RefusesAReportThatIsNone) {
  for (const char* text : {"", "{}", "[]", "\"well\""}) EXPECT_FALSE(parse_status(text)) << text;
}

}  // namespace
}  // namespace sweetspot
