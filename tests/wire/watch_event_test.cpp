// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/watch_event.hpp"

#include <gtest/gtest.h>

#include "wire/samples.hpp"

namespace sweetspot {
namespace {

std::vector<WatchEvent> one_of_each() {
  const EnergyRecord record = full_record();
  return {
      {seconds(1), WatchSample{{{"VDD_GPU_SOC", Watts{-0.4}}, {"VDD_CPU_CV", {}}}, 12.5, megahertz(306)}},
      {seconds(1), WatchSample{}},
      {seconds(2), Event(JobStarted{7, "bert", record.decision, record.owner})},
      {seconds(2), Event(JobStarted{8, {}, record.decision, record.owner})},
      {seconds(3), Event(JobRedecided{7, record.decision})},
      {seconds(3), Event(JobMoved{7, record.decision, megahertz(714), {{megahertz(714), 9.5, 0.5, 0.01, 40}}})},
      {seconds(3), Event(JobMoved{7, record.decision, {}, {{{}, 9.5, 0.5, 0.01, 40}}})},
      {seconds(3), Event(JobMeasured{7, record.decision, {}})},
      {seconds(4), Event(JobEnded{record})},
      {seconds(5), Event(ClockPinned{megahertz(612)})},
      {seconds(6), Event(ClockLost{megahertz(612), "nvpmodel"})},
      {seconds(6), Event(ClockLost{{}, "unknown"})},
      {seconds(7), Event(ClockRestored{"as found"})},
      {seconds(8), Event(Throttled{"oc3"})},
      {seconds(9), Event(TroubleBegan{HealthReason::rival, "jtop"})},
      {seconds(10), Event(TroubleEnded{HealthReason::rival})},
  };
}

TEST(WatchEvent, ReadsBackEveryKind) {
  for (const WatchEvent& event : one_of_each()) {
    const std::string text = watch_event_to_json(event);
    const auto read = parse_watch_event(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_EQ(read->at, event.at);
    EXPECT_EQ(read->what.index(), event.what.index()) << text;
    EXPECT_EQ(watch_event_to_json(*read), text);
  }
}

TEST(WatchEvent, KeepsTheKindOfAnEventItDoesNotKnow) {
  const auto read = parse_watch_event(R"({"event":{"kind":"eclipse","at_s":1.5,"sun":"gone"}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(kind_of(*read), "eclipse");
  EXPECT_TRUE(std::holds_alternative<UnknownEvent>(read->what));
}

TEST(WatchEvent, TakesATroubleItDoesNotKnowForAnUnknownEvent) {
  const auto read = parse_watch_event(R"({"event":{"kind":"trouble_began","at_s":1,"reason":"flood","detail":"x"}})");
  ASSERT_TRUE(read);
  EXPECT_TRUE(std::holds_alternative<UnknownEvent>(read->what));
}

TEST(WatchEvent, RefusesAnEventThatLacksItsFields) {
  for (const char* text :
       {"", "{}", "[]", R"({"event":7})", R"({"event":{}})", R"({"event":{"kind":"sample"}})",
        R"({"event":{"kind":"sample","at_s":1}})", R"({"event":{"kind":"job_started","at_s":1,"job_id":7}})",
        R"({"event":{"kind":"job_redecided","at_s":1}})", R"({"event":{"kind":"job_ended","at_s":1}})",
        R"({"event":{"kind":"clock_pinned","at_s":1}})", R"({"event":{"kind":"trouble_ended","at_s":1}})",
        R"({"event":{"kind":"sample","at_s":1e30,"sample":{"rails":[]}}})"})
    EXPECT_FALSE(parse_watch_event(text)) << text;
}

}  // namespace
}  // namespace sweetspot
