// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/attribute_numbers.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

TEST(ParseUnsigned, TakesWholeDecimalTexts) {
  EXPECT_EQ(parse_unsigned("0").value(), 0U);
  EXPECT_EQ(parse_unsigned("1300500000").value(), 1300500000U);
  EXPECT_EQ(parse_unsigned("18446744073709551615").value(), UINT64_MAX);
}

TEST(ParseUnsigned, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", " ", " 1", "1 ", "1\n", "+1", "-1", "-0", "0x1E65FB80", "1e9", "1.5", "abc", "714000000abc", "816000000 1",
        "18446744073709551616", "999999999999999999999999999999", "١٢٣", "NaN", "inf"}) {
    EXPECT_FALSE(parse_unsigned(text)) << text;
  }
  EXPECT_FALSE(parse_unsigned(std::string_view("12\0", 3)));
  EXPECT_FALSE(parse_unsigned(std::string(100000, '9')));
}

TEST(ParseUnsigned, QuotesWhatItRefusedWithoutControlCharacters) {
  EXPECT_EQ(parse_unsigned("a\x1b[31m").error().message, "\"a?[31m\" is not a number; expected decimal digits");
}

TEST(ParseSigned, TakesOneStepBelowZero) {
  EXPECT_EQ(parse_signed("-20").value(), -20);
  EXPECT_EQ(parse_signed("160").value(), 160);
  EXPECT_EQ(parse_signed("-9223372036854775808").value(), INT64_MIN);
}

TEST(ParseSigned, RefusesEverythingElse) {
  for (const std::string_view text : {"", "-", "--1", "+1", "- 1", "-1 ", "1-", "9223372036854775808", "-0x1"}) {
    EXPECT_FALSE(parse_signed(text)) << text;
  }
}

TEST(ParseClockList, ToleratesATrailingBlankAndNewline) {
  const std::vector<Hertz> clocks{{306000000}, {408000000}};
  EXPECT_EQ(parse_clock_list("306000000 408000000").value(), clocks);
  EXPECT_EQ(parse_clock_list("306000000 408000000 \n").value(), clocks);
  EXPECT_EQ(parse_clock_list("  306000000   408000000").value(), clocks);
  EXPECT_TRUE(parse_clock_list(" \n").value().empty());
}

TEST(ParseClockList, RefusesAListWithAnythingElseInIt) {
  for (const std::string_view text :
       {"306000000,408000000", "306000000 x", "306 MHz", "-306000000", "306000000\t408000000"}) {
    EXPECT_FALSE(parse_clock_list(text)) << text;
  }
}

}  // namespace
}  // namespace sweetspot
