// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/date_text.hpp"

#include <gtest/gtest.h>

#include "wire/samples.hpp"

namespace sweetspot {
namespace {

std::chrono::system_clock::time_point at_ms(std::int64_t since_epoch) {
  return std::chrono::system_clock::time_point(std::chrono::milliseconds(since_epoch));
}

TEST(DateText, WritesUtcWithMilliseconds) {
  EXPECT_EQ(to_rfc3339(at_ms(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_rfc3339(at_ms(951'782'400'007)), "2000-02-29T00:00:00.007Z");
}

TEST(DateText, RoundsDownBeforeTheEpochToo) {
  EXPECT_EQ(to_rfc3339(at_ms(-1)), "1969-12-31T23:59:59.999Z");
}

TEST(DateText, ReadsBackWhatItWrites) {
  Samples samples(1);
  for (int i = 0; i < 1000; ++i) {
    const auto date = samples.date();
    EXPECT_EQ(parse_rfc3339(to_rfc3339(date)), date);
  }
}

TEST(DateText, ReadsOffsetsFractionsAndSmallLetters) {
  EXPECT_EQ(parse_rfc3339("1970-01-01T02:00:00+02:00"), at_ms(0));
  EXPECT_EQ(parse_rfc3339("1969-12-31t22:30:00.5-01:30"), at_ms(500));
  EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00.123456789z"),
            std::chrono::system_clock::time_point(std::chrono::nanoseconds(123'456'789)));
}

TEST(DateText, RefusesWhatIsNoDate) {
  for (const char* text :
       {"", "2026", "2026-07-08", "2026-07-08T09:30:00", "2026-13-08T09:30:00Z", "2026-02-30T09:30:00Z",
        "2026-07-08T24:30:00Z", "2026-07-08T09:60:00Z", "2026-07-08T09:30:00.Z", "2026-07-08T09:30:00Zjunk",
        "2026-07-08 09:30:00Z", "-026-07-08T09:30:00Z", "2026-07-08T09:30:00+2:00", "+026-07-08T09:30:00Z",
        "1500-07-08T09:30:00Z", "9999-07-08T09:30:00Z", "1678-01-01T00:00:00+00:01", "2261-12-31T23:59:59-00:01"})
    EXPECT_FALSE(parse_rfc3339(text)) << text;
}

TEST(DateText, CutsATextThatIsNoDateBetweenItsLetters) {
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "\xc3\xa4";
  for (const std::string& text : {umlauts, "x" + umlauts}) {
    const std::string said = parse_rfc3339(text).error().message;
    EXPECT_LT(said.size(), 160U);
    EXPECT_EQ(said.find("\xc3…"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace sweetspot
