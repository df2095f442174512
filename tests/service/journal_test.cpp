// SPDX-License-Identifier: Apache-2.0
#include "service/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "places.hpp"

namespace sweetspot::tests {
namespace {

std::string catalog() {
  std::ifstream file(SWEETSPOT_SOURCE_DIR "/systemd/sweetspotd.catalog");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::map<std::string, std::string> fields_of(const JournalEntry& entry) {
  return {entry.fields.begin(), entry.fields.end()};
}

std::vector<JournalEntry> one_of_each() {
  return {journal_entry_for(JobStarted{}),
          journal_entry_for(JobRedecided{}),
          journal_entry_for(JobMoved{}),
          journal_entry_for(JobMeasured{}),
          journal_entry_for(JobEnded{}),
          journal_entry_for(ClockPinned{}),
          journal_entry_for(ClockLost{}),
          journal_entry_for(ClockRestored{}),
          journal_entry_for(Throttled{}),
          journal_entry_for(TroubleBegan{HealthReason::clock, "x"}),
          journal_entry_for(TroubleEnded{HealthReason::clock}),
          journal_entry_for(TroubleBegan{HealthReason::sensor, "x"}),
          journal_entry_for(TroubleEnded{HealthReason::sensor}),
          journal_entry_for_rails({}),
          journal_entry_for_lost({1, "job 1"})};
}

TEST(Journal, EveryKindOfEntryHasAnIdOfItsOwnAndACatalogText) {
  const std::string texts = catalog();
  std::set<std::string_view> ids;
  for (const JournalEntry& entry : one_of_each()) {
    EXPECT_TRUE(ids.insert(entry.message_id).second) << entry.message_id;
    EXPECT_NE(texts.find("-- " + std::string(entry.message_id) + "\n"), std::string::npos) << entry.message;
    EXPECT_FALSE(entry.message.empty());
  }
  EXPECT_EQ(ids.size(), 15U);
}

TEST(Journal, AnUnmeasuredFigureHasNoField) {
  EnergyRecord record;
  record.job_id = 7;
  record.rails = {{"VDD_GPU_SOC", std::nullopt, std::nullopt}};
  const auto fields = fields_of(journal_entry_for(JobEnded{record}));
  EXPECT_EQ(fields.at("SWEETSPOT_JOB_ID"), "7");
  for (const char* absent : {"SWEETSPOT_ENERGY_J", "SWEETSPOT_SHARE_J", "SWEETSPOT_MEAN_POWER_W", "SWEETSPOT_STEPS",
                             "SWEETSPOT_APPLIED_HZ", "SWEETSPOT_RAIL_VDD_GPU_SOC_J", "SWEETSPOT_GPU_LOAD_MEAN"})
    EXPECT_EQ(fields.count(absent), 0U) << absent;
}

TEST(Journal, ARecordTellsItsRailsInMilliwattsAndJoules) {
  EnergyRecord record;
  record.rails = {{"1-0040/Vdd in", Joules{12.5}, Watts{1.25}}};
  record.energy = Joules{12.5};
  record.rails_counted = {"1-0040/Vdd in"};
  const auto fields = fields_of(journal_entry_for(JobEnded{record}));
  EXPECT_EQ(fields.at("SWEETSPOT_ENERGY_J"), "12.5");
  EXPECT_EQ(fields.at("SWEETSPOT_RAIL_1_0040_VDD_IN_J"), "12.5");
  EXPECT_EQ(fields.at("SWEETSPOT_RAIL_1_0040_VDD_IN_MW"), "1250");
}

TEST(Journal, RailsThatWereNotMeasuredAreSaidAndHaveNoField) {
  const JournalEntry entry = journal_entry_for_rails({{"VDD_IN", 5012.4}, {"VDD_SOC", std::nullopt}});
  EXPECT_EQ(entry.message, "rails VDD_IN 5.0 W VDD_SOC not measured");
  EXPECT_EQ(fields_of(entry), (std::map<std::string, std::string>{{"SWEETSPOT_RAIL_VDD_IN_MW", "5012"}}));
}

}  // namespace
}  // namespace sweetspot::tests
