// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/record_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "wire/samples.hpp"

namespace sweetspot {
namespace {

TEST(RecordJson, ReadsBackAnyRecord) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const EnergyRecord record = Samples(seed).record();
    const auto read = record_from_json(record_to_json(record));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, record) << "seed " << seed;
  }
}

TEST(RecordJson, WritesNullForWhatWasNotMeasured) {
  const auto json = nlohmann::json::parse(record_to_json(EnergyRecord{.rails = {{"VDD_GPU_SOC", {}, {}}}}));
  for (const char* field : {"name", "applied_hz", "share_at_clock", "steps", "energy_j", "mean_power_w",
                            "gpu_load_mean", "share_j", "power_mode", "board"})
    EXPECT_TRUE(json.at(field).is_null()) << field;
  EXPECT_TRUE(json["rails"][0]["energy_j"].is_null());
}

TEST(RecordJson, WritesNullForANumberThatIsNone) {
  EnergyRecord record = full_record();
  record.energy = Joules{std::numeric_limits<double>::quiet_NaN()};
  record.mean_power = Watts{std::numeric_limits<double>::infinity()};
  const auto json = nlohmann::json::parse(record_to_json(record));
  EXPECT_TRUE(json["energy_j"].is_null());
  EXPECT_TRUE(json["mean_power_w"].is_null());
}

TEST(RecordJson, IsJsonWhateverBytesAProcessNameHas) {
  EnergyRecord record = full_record();
  record.owner.comm = "py\xff\xc3\x28";
  const auto read = record_from_json(record_to_json(record));
  ASSERT_TRUE(read);
  EXPECT_NE(read->owner.comm.find("\xef\xbf\xbd"), std::string::npos);
}

TEST(RecordJson, IgnoresFieldsOfANewerDaemon) {
  auto json = nlohmann::json::parse(record_to_json(full_record()));
  json["from_the_future"] = {1, 2, 3};
  EXPECT_EQ(record_from_json(json.dump()), full_record());
}

TEST(RecordJson, NamesThePlaceOfWhatIsWrong) {
  auto json = nlohmann::json::parse(record_to_json(full_record()));
  json["rails"][1]["energy_j"] = "much";
  EXPECT_EQ(record_from_json(json.dump()).error().message, "rails[1].energy_j: expected a number, not the text 'much'");
  json = nlohmann::json::parse(record_to_json(full_record()));
  json.erase("decision");
  EXPECT_EQ(record_from_json(json.dump()).error().message, "decision: is missing");
}

TEST(RecordJson, RefusesARecordThatIsNone) {
  for (const char* text : {"", "{}", "[]", "null", "7", "{\"job_id\":"}) EXPECT_FALSE(record_from_json(text)) << text;
}

TEST(DecisionJson, ReadsBackAnyDecision) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Decision decision = Samples(seed).decision();
    EXPECT_EQ(decision_from_json(decision_to_json(decision)), decision) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sweetspot
