// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/client_messages.hpp"
#include "sweetspot/wire/replies.hpp"
#include "sweetspot/wire/varlink_framing.hpp"
#include "wire/samples.hpp"

namespace sweetspot {
namespace {

using std::string_literals::operator""s;

TEST(HostileCalls, WhatIsNoVarlinkMessageIsHungUp) {
  const std::vector<std::string> messages{
      "",
      " ",
      "null",
      "7",
      "[]",
      "{}",
      "\"method\"",
      "{",
      "{\"method\"",
      "{\"method\":}",
      "{\"method\":7}",
      "{\"method\":null}",
      "{\"method\":\"\"}",
      "{\"method\":[\"a.b.C\"]}",
      "{method:\"a.b.C\"}",
      "{'method':'a.b.C'}",
      "{\"method\":\"a.b.C\"}}",
      "{\"method\":\"a.b.C\"}{\"method\":\"a.b.C\"}",
      "{\"method\":\"a.b.C\"} junk",
      "{\"method\":\"a.b.C\",}",
      "// comment\n{\"method\":\"a.b.C\"}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":NaN}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":Infinity}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":-}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":01}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":0x10}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":1.}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\xff\"}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\xc0\xaf\"}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\xed\xa0\x80\"}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\\ud800\"}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\\ude00\\ud800\"}}",
      "{\"method\":\"a.b.C\",\"parameters\":{\"x\":\"\n\"}}",
      "{\"method\":\"a.b.C\"\0}"s,
      std::string(longest_call_bytes, '['),
      std::string(longest_call_bytes, '"'),
      std::string(longest_call_bytes, '\xff'),
      "{\"method\":\"a.b.C\",\"parameters\":[1e999,1e999,1e999,1e999,1e999,1e999]}"};
  for (const std::string& message : messages) {
    const auto call = parse_call(message);
    ASSERT_FALSE(call) << message.substr(0, 100);
    EXPECT_TRUE(std::holds_alternative<NotVarlink>(call.error().what)) << message.substr(0, 100);
    EXPECT_EQ(error_reply(call.error()), "");
  }
}

struct Case {
  const char* parameters;
  const char* place;
};

TEST(HostileCalls, AWrongParameterIsNamedByItsPlace) {
  const std::vector<Case> cases{
      {R"(7)", "parameters"},
      {R"([])", "parameters"},
      {R"({})", "spec"},
      {R"({"spec":null})", "spec"},
      {R"({"spec":[]})", "spec"},
      {R"({"spec":{},"extra":1})", "extra"},
      {R"({"spec":{"nonsense":1}})", "spec.nonsense"},
      {R"({"spec":{"layers":"12"}})", "spec.layers"},
      {R"({"spec":{"layers":12.0}})", "spec.layers"},
      {R"({"spec":{"layers":1e2}})", "spec.layers"},
      {R"({"spec":{"layers":true}})", "spec.layers"},
      {R"({"spec":{"layers":[12]}})", "spec.layers"},
      {R"({"spec":{"layers":9223372036854775808}})", "spec.layers"},
      {R"({"spec":{"layers":-9223372036854775809}})", "spec.layers"},
      {R"({"spec":{"layers":123456789012345678901234567890}})", "spec.layers"},
      {R"({"spec":{"layers":1e999}})", "spec.layers"},
      {R"({"spec":{"mean_sequence_length":1e999}})", "spec.mean_sequence_length"},
      {R"({"spec":{"mean_sequence_length":-1e999}})", "spec.mean_sequence_length"},
      {R"({"spec":{"mean_sequence_length":"long"}})", "spec.mean_sequence_length"},
      {R"({"spec":{"frequency_hz":-1}})", "spec.frequency_hz"},
      {R"({"spec":{"frequency_hz":612000000.0}})", "spec.frequency_hz"},
      {R"({"spec":{"frequency_hz":"612MHz"}})", "spec.frequency_hz"},
      {R"({"spec":{"frequency_hz":18446744073709551615}})", "spec.frequency_hz"},
      {R"({"spec":{"rails":"VDD_GPU_SOC"}})", "spec.rails"},
      {R"({"spec":{"rails":["a",7]}})", "spec.rails[1]"},
      {R"({"spec":{"rails":[null]}})", "spec.rails[0]"},
      {R"({"spec":{"tags":["a"]}})", "spec.tags"},
      {R"({"spec":{"tags":{"a":7}}})", "spec.tags.a"},
      {R"({"spec":{"tags":{"a":null}}})", "spec.tags.a"},
      {R"({"spec":{"name":"a","name":"b"}})", "spec.name"},
      {R"({"spec":{"tags":{"a":"1","a":"2"}}})", "spec.tags.a"},
      {R"({"spec":{"name":{}}})", "spec.name"},
  };
  for (const Case& c : cases) {
    const auto call =
        parse_call(R"({"method":"io.sweetspotd.Governor.StartJob","parameters":)" + std::string(c.parameters) + "}");
    ASSERT_FALSE(call) << c.parameters;
    const auto* const problem = std::get_if<InvalidParameter>(&call.error().what);
    ASSERT_NE(problem, nullptr) << c.parameters;
    EXPECT_EQ(problem->parameter, c.place) << c.parameters;
    EXPECT_FALSE(problem->expected.empty()) << c.parameters;
  }
}

TEST(HostileCalls, MoreStepsThanAnyJobHasAreRefusedWithTheRange) {
  for (const char* const steps : {"-1", "1000000000001", "9223372036854775807"}) {
    const auto call =
        parse_call(R"({"method":"io.sweetspotd.Governor.ReportProgress","parameters":{"job_id":1,"steps":)" +
                   std::string(steps) + "}}");
    ASSERT_FALSE(call) << steps;
    const auto& problem = std::get<InvalidParameter>(call.error().what);
    EXPECT_EQ(problem.parameter, "steps");
    EXPECT_EQ(problem.expected, "expected a whole number from 0 to 1000000000000, not " + std::string(steps));
  }
}

TEST(HostileCalls, AWrongEnvelopeIsNamedByItsKey) {
  for (const auto& [rest, key] :
       std::vector<std::pair<std::string, std::string>>{{R"("more":1)", "more"},
                                                        {R"("more":"true")", "more"},
                                                        {R"("oneway":0)", "oneway"},
                                                        {R"("upgrade":{})", "upgrade"},
                                                        {R"("method":"x.y.Z")", "method"},
                                                        {R"("Parameters":{})", "Parameters"}}) {
    const auto call = parse_call(R"({"method":"io.sweetspotd.Governor.GetStatus",)" + rest + "}");
    ASSERT_FALSE(call) << rest;
    ASSERT_TRUE(std::holds_alternative<InvalidParameter>(call.error().what)) << rest;
    EXPECT_EQ(std::get<InvalidParameter>(call.error().what).parameter, key);
  }
}

TEST(HostileCalls, NegativeStepsAndPeriodsAreRefused) {
  EXPECT_FALSE(
      parse_call(R"({"method":"io.sweetspotd.Governor.ReportProgress","parameters":{"job_id":1,"steps":-1}})"));
  EXPECT_FALSE(parse_call(R"({"method":"io.sweetspotd.Governor.Watch","parameters":{"period_ms":0},"more":true})"));
  EXPECT_FALSE(parse_call(R"({"method":"io.sweetspotd.Governor.Watch","parameters":{"period_ms":-5},"more":true})"));
}

TEST(HostileCalls, SixteenLevelsOfNestingAreReadAndSeventeenRefused) {
  const auto nested = [](std::size_t levels) {  // the message itself is the first
    return R"({"method":"io.sweetspotd.Governor.GetStatus","parameters":{"x":)" + std::string(levels - 2, '[') +
           std::string(levels - 2, ']') + "}}";
  };
  const auto sixteen = parse_call(nested(16));
  ASSERT_FALSE(sixteen);  // x is unknown
  EXPECT_EQ(std::get<InvalidParameter>(sixteen.error().what).parameter, "x");
  const auto seventeen = parse_call(nested(17));
  ASSERT_FALSE(seventeen);
  EXPECT_NE(std::get<InvalidParameter>(seventeen.error().what).expected.find("16 levels"), std::string::npos);
}

TEST(HostileCalls, ADeepMessageOfTheLargestSizeIsRefusedWithoutBuildingIt) {
  const std::string head = R"({"method":"io.sweetspotd.Governor.GetStatus","parameters":)";
  const std::size_t levels = (longest_call_bytes - head.size() - 1) / 2;
  const auto call = parse_call(head + std::string(levels, '[') + std::string(levels, ']') + "}");
  ASSERT_FALSE(call);
  EXPECT_TRUE(std::holds_alternative<InvalidParameter>(call.error().what));
}

TEST(HostileCalls, ALongUnknownKeyIsNotEchoedInFull) {
  const auto call = parse_call(R"({"method":"io.sweetspotd.Governor.GetStatus","parameters":{")" +
                               std::string(60'000, 'k') + R"(":1}})");
  ASSERT_FALSE(call);
  EXPECT_LT(error_reply(call.error()).size(), 500U);
}

TEST(HostileCalls, ALongNameOfAMethodOrAnInterfaceIsNotEchoedInFull) {
  const std::string name(60'000, 'x');
  for (const std::string& text :
       {R"({"method":"io.sweetspotd.Governor.)" + name + R"("})", R"({"method":")" + name + R"(.GetInfo"})",
        R"({"upgrade":true,"method":")" + name + R"("})"}) {
    const std::string answer = error_reply(parse_call(text).error());
    EXPECT_FALSE(answer.empty());
    EXPECT_LT(answer.size(), 500U);
  }
  EXPECT_LT(interface_description_reply(name).size(), 500U);
}

TEST(HostileCalls, APlaceOfManyLongKeysIsCut) {
  std::string text = R"({"method":"a.b.C","parameters":)";
  for (int depth = 0; depth < 14; ++depth) text += "{\"" + std::string(60, 'k') + "\":";
  text += R"({"x":1,"x":2})" + std::string(15, '}');
  EXPECT_LT(error_reply(parse_call(text).error()).size(), 500U);
}

TEST(HostileCalls, NoDamagedMessageCrashesOrMakesAReplyThatIsNoJson) {
  std::mt19937_64 random(20260708);
  const std::string good = call_text(Call{StartJob{full_spec()}});
  for (int round = 0; round < 20'000; ++round) {
    std::string text(good, 0, good.size() - 1);
    for (std::uint64_t damage = random() % 4 + 1; damage > 0; --damage) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 8 + 1);
          break;
        default:
          text.insert(at, text, random() % text.size(), random() % 8 + 1);
          break;
      }
      if (text.empty()) text = "x";
    }
    const auto call = parse_call(text);
    if (call) continue;
    std::string reply = error_reply(call.error());
    if (reply.empty()) continue;
    reply.pop_back();
    EXPECT_TRUE(parse_reply(reply)) << text;
  }
}

}  // namespace
}  // namespace sweetspot
