// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/calls.hpp"

#include <gtest/gtest.h>

#include "sweetspot/wire/client_messages.hpp"
#include "wire/samples.hpp"

namespace sweetspot {
namespace {

std::string without_nul(std::string text) {
  text.pop_back();
  return text;
}

TEST(ParseCall, ReadsEveryMethodThatTheClientWrites) {
  const std::vector<Call> calls{{GetInfo{}},
                                {GetInterfaceDescription{"io.sweetspotd.Governor"}},
                                {StartJob{full_spec()}},
                                {ReportProgress{7, 100}, false, true},
                                {EndJob{7}},
                                {Explain{full_spec()}},
                                {GetStatus{}},
                                {Watch{250}, true},
                                {Watch{}, true}};
  for (const Call& call : calls) EXPECT_EQ(parse_call(without_nul(call_text(call))), call) << call_text(call);
}

TEST(ParseCall, ReadsBackAnySpec) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Call call{StartJob{Samples(seed).spec()}};
    EXPECT_EQ(parse_call(without_nul(call_text(call))), call) << "seed " << seed;
  }
}

TEST(ParseCall, TakesNullForAnAbsentParameter) {
  const auto call = parse_call(
      R"({"method":"io.sweetspotd.Governor.StartJob","parameters":{"spec":{"layers":null,"tags":null,"rails":null}},"more":null})");
  EXPECT_EQ(call, (Call{StartJob{}}));
}

TEST(ParseCall, TakesAMethodWithoutParametersWithoutThem) {
  EXPECT_EQ(parse_call(R"({"method":"io.sweetspotd.Governor.GetStatus"})"), (Call{GetStatus{}}));
  EXPECT_EQ(parse_call(R"({"method":"io.sweetspotd.Governor.GetStatus","parameters":null})"), (Call{GetStatus{}}));
}

TEST(ParseCall, TakesAWholeNumberWhereAFloatIsWanted) {
  const auto call =
      parse_call(R"({"method":"io.sweetspotd.Governor.Explain","parameters":{"spec":{"mean_sequence_length":51}}})");
  EXPECT_EQ(call, (Call{Explain{JobSpec{.mean_sequence_length = 51}}}));
}

TEST(ParseCall, SaysWhichInterfaceOrMethodIsUnknown) {
  const auto method = parse_call(R"({"method":"io.sweetspotd.Governor.Fly"})");
  ASSERT_FALSE(method);
  EXPECT_EQ(std::get<MethodNotFound>(method.error().what).method, "io.sweetspotd.Governor.Fly");
  const auto interface = parse_call(R"({"method":"io.example.Other.Fly"})");
  ASSERT_FALSE(interface);
  EXPECT_EQ(std::get<InterfaceNotFound>(interface.error().what).interface, "io.example.Other");
  const auto no_dot = parse_call(R"({"method":"Fly"})");
  ASSERT_FALSE(no_dot);
  EXPECT_EQ(std::get<InterfaceNotFound>(no_dot.error().what).interface, "Fly");
}

TEST(ParseCall, WatchNeedsMore) {
  const auto call = parse_call(R"({"method":"io.sweetspotd.Governor.Watch"})");
  ASSERT_FALSE(call);
  EXPECT_TRUE(std::holds_alternative<ExpectedMore>(call.error().what));
}

TEST(ParseCall, DoesNotUpgradeConnections) {
  const auto call = parse_call(R"({"method":"io.sweetspotd.Governor.GetStatus","upgrade":true})");
  ASSERT_FALSE(call);
  EXPECT_TRUE(std::holds_alternative<MethodNotImplemented>(call.error().what));
  EXPECT_TRUE(parse_call(R"({"method":"io.sweetspotd.Governor.GetStatus","upgrade":false})"));
}

TEST(ParseCall, KnowsThatABadCallWasOnewayWhereverTheFlagStands) {
  for (
      const char* text :
      {R"({"oneway":true,"method":"io.sweetspotd.Governor.EndJob","parameters":{"job_id":"x"}})",
       R"({"method":"io.sweetspotd.Governor.EndJob","parameters":{"job_id":1e999},"oneway":true})",
       R"({"parameters":{"job_id":-1e999,"x":[1e999]},"method":"io.sweetspotd.Governor.EndJob","oneway":true})",
       R"({"method":"io.sweetspotd.Governor.EndJob","parameters":{"job_id":1,"job_id":2},"oneway":true})",
       R"({"method":"io.sweetspotd.Governor.EndJob","parameters":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]],"oneway":true})",
       R"({"method":"io.sweetspotd.Governor.Nothing","oneway":true})"}) {
    const auto call = parse_call(text);
    ASSERT_FALSE(call) << text;
    EXPECT_TRUE(call.error().oneway) << text;
    EXPECT_TRUE(call.error().method.starts_with("io.sweetspotd.Governor.")) << text;
  }
}

}  // namespace
}  // namespace sweetspot
