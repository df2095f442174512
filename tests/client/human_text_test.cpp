// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/human_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweetspot/client/known_boards.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;

TEST(HumanText, GivesEnergyThreeDigits) {
  EXPECT_EQ(energy_text({0}), "0.00 J");
  EXPECT_EQ(energy_text({-0.4}), "-0.40 J");
  EXPECT_EQ(energy_text({9.996}), "10.0 J");
  EXPECT_EQ(energy_text({512.3}), "512 J");
  EXPECT_EQ(energy_text({999.6}), "1.00 kJ");
  EXPECT_EQ(energy_text({41'000}), "41.0 kJ");
  EXPECT_EQ(energy_text({999'600}), "1.00 MJ");
  EXPECT_EQ(energy_text({1'234'567}), "1.23 MJ");
}

TEST(HumanText, GivesPowerOneDecimal) {
  EXPECT_EQ(power_text({28.44}), "28.4 W");
  EXPECT_EQ(power_text({-0.392}), "-0.4 W");
}

TEST(HumanText, GivesDurationsTwoParts) {
  EXPECT_EQ(duration_text(seconds(0.08)), "80 ms");
  EXPECT_EQ(duration_text(seconds(12.34)), "12.3 s");
  EXPECT_EQ(duration_text(seconds(59.96)), "1 min 0 s");
  EXPECT_EQ(duration_text(seconds(24 * 60 + 3)), "24 min 3 s");
  EXPECT_EQ(duration_text(seconds(3 * 3600 + 12 * 60 + 40)), "3 h 12 min");
  EXPECT_EQ(duration_text(seconds(52 * 3600)), "2 d 4 h");
}

TEST(HumanText, CallsOnlyAWholeAHundredPerCent) {
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(percent_text(0.99996), "99.9 %");
  EXPECT_EQ(percent_text(0.993), "99.3 %");
  EXPECT_EQ(percent_text(0), "0 %");
}

TEST(HumanText, ReadsDurationsWithTheirUnits) {
  EXPECT_EQ(parse_duration("90").value(), seconds(90));
  EXPECT_EQ(parse_duration("1.5h").value(), seconds(5400));
  EXPECT_EQ(parse_duration("500ms").value(), seconds(0.5));
  EXPECT_EQ(parse_duration("20 min").value(), seconds(1200));
  for (const char* bad : {"", "-1", "1e3", "h", "5 weeks", "inf", "nan", "1000000001", "90s "})
    EXPECT_FALSE(parse_duration(bad)) << bad;
}

TEST(HumanText, LetsNoControlCharacterThrough) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f"), "a?[2Jb??");
  EXPECT_EQ(printable("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "??2J");
}

TEST(RecordLine, SaysClockEnergyRailsTimeAndCoverage) {
  EXPECT_EQ(record_line(tests::sample_record()),
            "612 MHz, 41.0 kJ on VDD_GPU_SOC + VDD_CPU_CV in 24 min 3 s (mean 28.4 W), coverage 100 %");
}

TEST(RecordLine, NamesTheEnergyPerStepAndTheOthersOnTheBoard) {
  EnergyRecord record = tests::sample_record();
  record.steps = 100;
  record.shared_with = 2;
  record.share = Joules{13'600};
  EXPECT_THAT(record_line(record), HasSubstr("410 J per step, shared with 2 other jobs (equal share 13.6 kJ)"));
}

TEST(RecordLine, NeverShowsWhatWasNotMeasured) {
  EnergyRecord record = tests::sample_record();
  record.energy.reset();
  record.mean_power.reset();
  EXPECT_EQ(record_line(record), "612 MHz, energy not measured in 24 min 3 s");
}

TEST(RecordLine, DoubtsAnEnergyThatIsNotValid) {
  EnergyRecord record = tests::sample_record();
  record.coverage = 0.5;
  record.energy_valid = false;
  EXPECT_THAT(record_line(record), HasSubstr("coverage 50 %; too little was measured to trust the energy"));
}

TEST(RecordLine, SaysWhenTheClockWasHeldOnlyForAPartOrNotAtAll) {
  EnergyRecord record = tests::sample_record();
  record.share_at_clock = 0.93;
  EXPECT_THAT(record_line(record), HasSubstr("612 MHz (93 % of the time)"));
  record.applied.reset();
  EXPECT_THAT(record_line(record), HasSubstr("clock never held"));
  record.decision.frequency.reset();
  EXPECT_THAT(record_line(record), HasSubstr("clock left to the kernel"));
}

TEST(KnownBoards, HaveAscendingClocksAndSaySoWhereTheListIsNotCertain) {
  EXPECT_EQ(known_boards().size(), 9U);
  for (const KnownBoard& board : known_boards()) {
    EXPECT_EQ(table_of(board).clocks().size(), board.clocks.size()) << board.id;
    EXPECT_TRUE(std::is_sorted(board.clocks.begin(), board.clocks.end())) << board.id;
    EXPECT_FALSE(board.source.empty()) << board.id;
  }
  EXPECT_THAT(std::string(known_board("agx-thor-jp7")->uncertain), HasSubstr("assumed"));
  EXPECT_TRUE(table_of(*known_board("agx-orin-64-jp6")).contains(Hertz{1'300'500'000}));
}

TEST(KnownBoards, RefuseAnUnknownIdWithTheListOfThoseKnown) {
  const auto board = known_board("agx-orin");
  ASSERT_FALSE(board);
  EXPECT_THAT(board.error().message, HasSubstr("orin-nano-super-jp6"));
}

}  // namespace
}  // namespace sweetspot
