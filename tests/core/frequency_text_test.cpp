// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/frequency_text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sweetspot {
namespace {

TEST(FrequencyText, ReadsEverySpellingOfTheSameClock) {
  for (const char* text : {"612MHz", "612 MHz", "612mhz", "612.0MHz", "0.612GHz", "0.612 ghz", "612000kHz",
                           "612000000Hz", "612000000 hz", "612000000"}) {
    const auto clock = parse_frequency(text);
    ASSERT_TRUE(clock) << text;
    EXPECT_EQ(*clock, megahertz(612)) << text;
  }
}

TEST(FrequencyText, ReadsTheIrregularTopClockExactly) {
  EXPECT_EQ(parse_frequency("1300.5MHz").value(), Hertz{1'300'500'000});
  EXPECT_EQ(parse_frequency("1.3005GHz").value(), Hertz{1'300'500'000});
}

TEST(FrequencyText, ReadsBothEndsOfItsRange) {
  EXPECT_EQ(parse_frequency("1000000").value(), Hertz{1'000'000});
  EXPECT_EQ(parse_frequency("100GHz").value(), Hertz{100'000'000'000});
  EXPECT_FALSE(parse_frequency("999999"));
  EXPECT_FALSE(parse_frequency("100.001GHz"));
}

TEST(FrequencyText, RefusesABareSmallNumberInsteadOfTakingItForHertz) {
  for (const char* text : {"612", "1300.5", "0", "612 Hz", "612Hz"}) EXPECT_FALSE(parse_frequency(text)) << text;
}

TEST(FrequencyText, RefusesWhatIsNotAClock) {
  for (const char* text :
       {"",        " ",       "MHz",        "fast",      "612MHzz",  "612MH",    "612 M",   "612  MHz",
        " 612MHz", "612MHz ", "612000000 ", "612MHz612", "612,5MHz", "6.1.2MHz", "+612MHz", "-612MHz",
        "0x24MHz", "6e2MHz",  "612e6",      "inf",       "infMHz",   "nan",      "nanMHz"})
    EXPECT_FALSE(parse_frequency(text)) << "'" << text << "'";
}

TEST(FrequencyText, RefusesNumbersTooLargeOrTooSmallForADouble) {
  EXPECT_FALSE(parse_frequency(std::string(400, '9')));
  EXPECT_FALSE(parse_frequency(std::string(400, '9') + "MHz"));
  EXPECT_FALSE(parse_frequency("0." + std::string(400, '0') + "1GHz"));
}

TEST(FrequencyText, RefusesATextWithANulByteInside) {
  EXPECT_FALSE(parse_frequency(std::string_view("612\0MHz", 7)));
  EXPECT_FALSE(parse_frequency(std::string_view("612MHz\0", 7)));
}

TEST(FrequencyText, NamesTheTextAndWhatWasExpectedWhenItRefuses) {
  const auto refused = parse_frequency("612");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'612'"), std::string::npos);
  EXPECT_NE(refused.error().message.find("612MHz"), std::string::npos);
}

TEST(FrequencyText, WritesMegahertzWithoutTrailingZeros) {
  EXPECT_EQ(to_text(megahertz(612)), "612 MHz");
  EXPECT_EQ(to_text(Hertz{1'300'500'000}), "1300.5 MHz");
  EXPECT_EQ(to_text(Hertz{1'000'001}), "1.000001 MHz");
  EXPECT_EQ(to_text(Hertz{0}), "0 MHz");
}

TEST(FrequencyText, ReadsBackWhatItWrites) {
  std::mt19937_64 random(612);
  std::uniform_int_distribution<std::uint64_t> clocks(1'000'000, 100'000'000'000);
  for (int i = 0; i < 2000; ++i) {
    const Hertz clock{clocks(random)};
    ASSERT_EQ(parse_frequency(to_text(clock)).value(), clock);
    ASSERT_EQ(parse_frequency(std::to_string(clock.value)).value(), clock);
  }
}

}  // namespace
}  // namespace sweetspot
