// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/uevents.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sweetspot {
namespace {

using namespace std::string_literals;

TEST(ParseUevent, ReadsActionPathAndSubsystem) {
  const auto event = parse_uevent(
      "add@/devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu\0ACTION=add\0SUBSYSTEM=devfreq\0SEQNUM=1\0"s);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->action, "add");
  EXPECT_EQ(event->devpath, "/devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu");
  EXPECT_EQ(event->subsystem, "devfreq");
}

TEST(ParseUevent, LivesWithoutASubsystem) {
  EXPECT_EQ(parse_uevent("remove@/devices/x"s)->subsystem, "");
}

TEST(ParseUevent, DropsWhatIsNoKernelEvent) {
  for (const std::string& message :
       {""s, "\0"s, "add"s, "@"s, "@/devices/x"s, "add@"s, "add@x"s, "libudev\0\xfe\xed\xca\xfe"s, "\0add@/devices/x"s,
        std::string(8192, 'a'), std::string(8192, '\0')}) {
    EXPECT_FALSE(parse_uevent(message));
  }
}

TEST(ParseUevent, SurvivesAnyBytes) {
  std::mt19937 random(7);
  const std::string alphabet = "add@/SUBSYSTEM=\0\n\xff"s;
  int events = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string message(random() % 60, ' ');
    for (char& c : message) c = alphabet[random() % alphabet.size()];
    if (parse_uevent(message)) ++events;
  }
  EXPECT_GT(events, 0);
}

TEST(Uevents, OpenOrSayWhyNot) {
  auto uevents = Uevents::open();
  if (!uevents) {
    EXPECT_NE(uevents.error().code, 0);
    return;
  }
  EXPECT_GE(uevents->fd(), 0);
  EXPECT_TRUE(uevents->next());
}

}  // namespace
}  // namespace sweetspot
