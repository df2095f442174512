// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/client_messages.hpp"

#include <gtest/gtest.h>

#include "sweetspot/wire/interface_text.hpp"
#include "sweetspot/wire/spec_json.hpp"
#include "wire/samples.hpp"

namespace sweetspot {
namespace {

Reply reply_in(std::string message) {
  message.pop_back();
  auto reply = parse_reply(message);
  EXPECT_TRUE(reply) << reply.error().message;
  return reply.value_or(Reply{});
}

TEST(ClientMessages, EachMessageEndsWithOneNul) {
  const std::string text = call_text(Call{GetStatus{}});
  EXPECT_EQ(text, std::string("{\"method\":\"io.sweetspotd.Governor.GetStatus\",\"parameters\":{}}") + '\0');
}

TEST(ClientMessages, ReadsWhatTheDaemonAnswers) {
  const StartReply start{7, full_record().decision, megahertz(816), "active"};
  EXPECT_EQ(parse_start_reply(reply_in(start_job_reply(start)).parameters), start);
  EXPECT_EQ(parse_end_reply(reply_in(end_job_reply(full_record())).parameters), full_record());
  EXPECT_EQ(parse_explain_reply(reply_in(explain_reply(start.decision)).parameters), start.decision);
  EXPECT_EQ(parse_status(reply_in(status_reply(full_status())).parameters), full_status());
  EXPECT_EQ(parse_interface_description(reply_in(interface_description_reply(governor_interface)).parameters),
            std::string(governor_interface_text()));
  EXPECT_EQ(parse_service_version(reply_in(info_reply({"v", "p", "1.2.3", "u"})).parameters), "1.2.3");
  EXPECT_EQ(reply_in(empty_reply()).parameters, "{}");
}

TEST(ClientMessages, KnowsThatAWatchContinues) {
  const Reply reply = reply_in(watch_event_reply({seconds(1), WatchSample{}}));
  EXPECT_TRUE(reply.continues);
  EXPECT_TRUE(parse_watch_event(reply.parameters));
}

TEST(ClientMessages, SaysEachErrorInASentence) {
  const auto sentence = [](const std::string& message) {
    return reply_in(message).error.value_or(ReplyError{}).sentence;
  };
  EXPECT_EQ(sentence(error_reply(GovernorError(NoSuchJob{7}))), "there is no running job 7");
  EXPECT_EQ(sentence(error_reply(GovernorError(NotYourJob{7}))), "job 7 belongs to another user");
  EXPECT_EQ(sentence(error_reply(GovernorError(TooManyJobs{64, "uid 1000"}))),
            "too many jobs: uid 1000 has 64 already, which is the limit");
  EXPECT_EQ(sentence(error_reply(GovernorError(InvalidSpec{"layers", "1 or more"}))), "layers: expected 1 or more");
  EXPECT_EQ(sentence(error_reply(GovernorError(ClockUnavailable{"no GPU"}))), "the clock cannot be set: no GPU");
  EXPECT_EQ(sentence(error_reply(GovernorError(Busy{"restarting"}))), "the daemon is busy: restarting");
  EXPECT_EQ(sentence(error_reply(CallProblem{InvalidParameter{"spec.x", "is not known here"}, "", false})),
            "spec.x: is not known here");
  EXPECT_EQ(sentence(error_reply(CallProblem{MethodNotFound{"a.b.C"}, "", false})),
            "the daemon does not know a.b.C; it is probably older");
}

TEST(ClientMessages, TellsAnErrorItDoesNotKnowByItsName) {
  const auto reply = parse_reply(R"({"error":"io.sweetspotd.Governor.Eclipse","parameters":{"sun":"gone"}})");
  ASSERT_TRUE(reply);
  ASSERT_TRUE(reply->error);
  EXPECT_EQ(reply->error->sentence, R"(the daemon answered io.sweetspotd.Governor.Eclipse {"sun":"gone"})");
}

TEST(ClientMessages, RefusesWhatIsNoReply) {
  for (const char* text :
       {"", "7", "[]", "{\"parameters\":7}", "{\"error\":7}", "{\"parameters\":{}} x", "{\"a\":1e999}"})
    EXPECT_FALSE(parse_reply(text)) << text;
}

TEST(ClientMessages, ReadsTheFieldsOfATypeInTheInterfaceDescription) {
  EXPECT_EQ(known_fields(governor_interface_text(), "JobSpec"), spec_keys());
  EXPECT_EQ(known_fields(governor_interface_text(), "Rail"),
            (std::vector<std::string>{"name", "energy_j", "mean_power_w"}));
  EXPECT_TRUE(known_fields(governor_interface_text(), "Unicorn").empty());
}

TEST(ClientMessages, ReadsFieldsAroundCommentsAndNestedTypes) {
  EXPECT_EQ(
      known_fields("interface a.b\n# type X (no: int)\ntype X (a:int, # b: int )\n c: (d: int, e: [](f: int)), g: "
                   "?[]string)\ntype Y (h: int)",
                   "X"),
      (std::vector<std::string>{"a", "c", "g"}));
}

TEST(ClientMessages, ReadsNoFieldsFromADamagedDescription) {
  for (const char* text : {"", "type", "type X", "type X (", "type X (a", "type X )", "# type X (a: int)",
                           "type X (:::: int", "type X (\"a\"): int"})
    EXPECT_TRUE(known_fields(text, "X").empty()) << text;
}

TEST(ClientMessages, LeavesOutWhatAnOlderDaemonLacks) {
  const std::vector<std::string> known{"name", "layers"};
  const RestrictedSpec restricted =
      restrict_to(JobSpec{.name = "a", .layers = 12, .lease_s = 60, .tags = {{"a", "b"}}}, known);
  EXPECT_EQ(restricted.spec, (JobSpec{.name = "a", .layers = 12}));
  EXPECT_EQ(restricted.left_out, (std::vector<std::string>{"lease_s", "tags"}));
}

}  // namespace
}  // namespace sweetspot
